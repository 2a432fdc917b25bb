import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { condition } from '../../../../examples/conditions/condition.ts';
import { scopeIssues } from '../../src/index.ts';
import { createHandler, createSender, extensionBase } from '../clinic.ts';
import { openApiValidator } from '../documents/openapi-document.ts';
import { idsOf } from '../response-helpers.ts';
import { by, createRecords, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';

const open = async (options: Parameters<typeof openClinic>[1] = {}) => {
  const clinic = await openClinic(createMemoryStore(), options);
  await clinic.records.importer.load([
    sourceCondition('a', 'amy'),
    sourceCondition('b', 'ben', { code: { coding: [{ code: '195967001' }] } }),
  ]);
  return clinic;
};

test('/metadata and /openapi.json describe it', async () => {
  const { get } = await open();
  const [{ resource }] = (await get('/metadata')).json.rest;
  const described = (type: string) => resource.find((one: { readonly type: string }) => one.type === type);
  const reads = ['read', 'search-type', 'history-instance', 'vread'];
  expect(described('Condition')).toMatchObject({
    supportedProfile: [
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-problems-health-concerns',
    ],
    searchInclude: ['Condition:patient', 'Condition:subject', 'Condition:encounter', '*'],
  });
  const interactionsOf = (type: string) =>
    described(type).interaction.map(({ code }: { code: string }) => code);
  expect(interactionsOf('Condition')).toEqual(reads);
  expect(interactionsOf('AllergyIntolerance').toSorted()).toEqual([...reads, 'create', 'update'].toSorted());
  const { json: document } = await get('/openapi.json');
  const { valid, errors } = await openApiValidator.validate(document);
  expect([valid, errors]).toEqual([true, undefined]);
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/Condition'))).toHaveLength(5);
  const { enum: targets } = document.components.schemas.Provenance.properties.target.items.properties.type;
  expect(targets.slice(-2)).toEqual(['Condition', 'AllergyIntolerance']);
});

test('scopes grant and limit it', async () => {
  const { sendAs } = await open();
  const as = (scopes: string) => sendAs({ scopes, patient: 'amy' });
  const status = async (scopes: string, path: string) => (await as(scopes)('GET', path)).status;
  expect(await status('patient/Condition.rs', '/Condition/a')).toBe(200);
  expect(await status('patient/Condition.rs', '/Condition/b')).toBe(404);
  expect(await status('patient/Condition.rs', '/Condition?patient=ben')).toBe(403);
  expect(await status('user/Goal.rs', '/Condition/a')).toBe(403);
  expect(idsOf(await as('patient/*.rs')('GET', '/Condition'))).toEqual(['a']);
  const create = async (scopes: string) =>
    (await as(scopes)('POST', '/AllergyIntolerance', { body: nuts() })).status;
  expect([await create('user/AllergyIntolerance.rs'), await create('user/AllergyIntolerance.c')]).toEqual([
    403, 201,
  ]);
});

test('a scope with a search grants what the search finds', async () => {
  const { records, sendAs } = await open();
  const scope = 'user/Condition.rs?code=195967001';
  const send = sendAs({ scopes: scope });
  expect(idsOf(await send('GET', '/Condition'))).toEqual(['b']);
  expect((await send('GET', '/Condition/a')).status).toBe(404);
  const other = 'user/Condition.rs?severity=mild';
  expect((await sendAs({ scopes: other })('GET', '/Condition')).status).toBe(403);
  expect(scopeIssues([scope, other], records)).toEqual([null, expect.stringContaining('severity: ')]);
  expect(scopeIssues([scope])).toEqual([expect.stringContaining('Resources of this type cannot be limited')]);
});

test('with a scope with a search, nobody writes what the search does not find', async () => {
  const { records, sendAs } = await open();
  const { id } = await records.allergies.create(nuts({ criticality: 'low' }), { by });
  const send = sendAs({ scopes: 'user/AllergyIntolerance.cu?criticality=low' });
  const put = async (rest: object) => {
    const { status, json } = await send('PUT', `/AllergyIntolerance/${id}`, { body: { id, ...nuts(rest) } });
    return [status, json?.issue[0].details.coding[0].code];
  };
  expect(await put({ criticality: 'high' })).toEqual([403, 'out-of-reach']);
  expect((await records.allergies.read(id)).criticality).toBe('low');
  expect(await put({ criticality: 'low', note: [{ text: 'Mild.' }] })).toEqual([200, undefined]);
  const { status } = await send('POST', '/AllergyIntolerance', { body: nuts({ criticality: 'high' }) });
  expect(status).toBe(403);
  // An allergy that was withdrawn may leave their reach.
  const { criticality: _, clinicalStatus: __, ...rest } = nuts();
  const inError = { id, ...rest, verificationStatus: verificationStatus('entered-in-error') };
  expect((await send('PUT', `/AllergyIntolerance/${id}`, { body: inError })).status).toBe(200);
});

test('a validation says what a write would be refused for, and writes nothing', async () => {
  const { send, get } = await open();
  const validate = async (body: object) =>
    (await send('POST', '/AllergyIntolerance/$validate', { body })).json.issue.map(
      ({ severity, expression = [] }: { severity: string; expression?: string[] }) => [
        severity,
        ...expression,
      ],
    );
  expect(await validate(nuts())).toEqual([['information']]);
  expect(await validate(nuts({ criticality: 'none' }))).toEqual([
    ['error', 'AllergyIntolerance.criticality'],
  ]);
  expect(await validate(nuts({ verificationStatus: verificationStatus('entered-in-error') }))).toEqual([
    ['error'],
  ]);
  expect((await get('/AllergyIntolerance?patient=amy')).json.total).toBe(0);
});

test('a host that serves it from its own tables goes on to do so, and the records still keep what they imported', async () => {
  const { records } = await open();
  const ofHost = sourceCondition('h', 'amy');
  const hostResources = {
    types: ['Condition'],
    read: (_: string, id: string) => (id === 'h' ? ofHost : null),
  };
  const send = createSender(createHandler(records, { hostResources, events: {} }));
  expect((await send('GET', '/Condition/h')).json).toEqual(ofHost);
  expect((await send('GET', '/Condition/a')).status).toBe(404);
  expect((await send('GET', '/Condition?patient=amy')).status).toBe(405);
  const [{ resource }] = (await send('GET', '/metadata')).json.rest;
  const described = resource.filter((one: { readonly type: string }) => one.type === 'Condition');
  expect(described).toEqual([{ type: 'Condition', interaction: [{ code: 'read' }] }]);
  expect((await records.conditions.read('a')).id).toBe('a');
});

test('a refused If-None-Exist names every type that has one', async () => {
  const headers = { 'if-none-exist': 'identifier=urn:oid:1.2.3|A-1' };
  const onlyRead = createClinicalRecords({
    ...{ store: createMemoryStore(), extensionBase, careTeamRoles: [], types: [condition] },
  });
  for (const [records, creates] of [
    [onlyRead, 'POST /Immunization'],
    [createRecords(createMemoryStore()), 'POST /Immunization or POST /AllergyIntolerance'],
  ] as const) {
    const send = createSender(createHandler(records));
    const { status, json } = await send('PUT', '/CareTeam/amy', { headers, body: {} });
    const sentence = `If-None-Match is not supported here, and If-None-Exist only with ${creates}. Nothing was changed.`;
    expect([status, json.issue[0].diagnostics]).toEqual([400, sentence]);
  }
});

test('names that every object has are not types', async () => {
  const { records, get } = await open();
  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const { imported, unchanged } = await records.importer.load([{ resourceType: name, id: 'x' }]);
    expect([imported, unchanged]).toEqual([{}, {}]);
    expect((await get(`/${name}/x`)).status).toBe(404);
    expect((await get(`/Provenance?target=${name}/x`)).status).toBe(400);
    expect((await get(`/Patient/amy/$everything?_type=${name}`)).status).not.toBe(500);
    const moved = records.corrections.moveToPatient({
      ...{ resourceType: name as 'Condition', resourceId: 'x', toPatientId: 'ben' },
      ...{ by, reason: 'Wrong chart.' },
    });
    await expect(moved).rejects.toMatchObject({ tag: 'InvalidRequest' });
  }
});

test('a type cannot have the initial of another one in the ids of Provenances', async () => {
  const { defineResource, anyConcept, reference } = await import('@clinical-records/core/define-resource');
  const clash = defineResource({
    ...{ type: 'Procedure', name: 'procedures', patient: 'subject', initial: 'G' },
    profile: 'http://hl7.org/fhir/StructureDefinition/Procedure',
    elements: { subject: reference('Patient'), status: anyConcept },
    ...{
      choices: [],
      identity: null,
      search: {},
      references: {},
      people: [],
      mandatory: [],
      summary: [],
      otherVersions: [],
      writes: [],
    },
    inError: 'status.coding.code',
    isEnd: () => false,
  });
  const options = { store: createMemoryStore(), extensionBase, careTeamRoles: [], types: [clash] };
  expect(() => createClinicalRecords(options)).toThrow('Two types of resources have the same initial');
  expect(() => createClinicalRecords({ ...options, types: [condition, condition] })).toThrow(
    'each type and each name once',
  );
  expect(() =>
    createClinicalRecords({ ...options, types: [{ type: 'Procedure', name: 'procedures' }] }),
  ).toThrow('types must be an array of what defineResource() returned');
});
