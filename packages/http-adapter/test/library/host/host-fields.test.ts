import {
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  type ClinicalStore,
  defineExtension,
  extensionOf,
  withExtension,
} from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, goal, immunize, labOrder, snomed, statement, team, withoutId } from '../../builders.ts';
import {
  type Clinic,
  createClock,
  createHandler,
  createRecords,
  createSender,
  extensionBase,
} from '../../clinic.ts';
import { createValidator, openApiValidator } from '../../documents/openapi-document.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';
import {
  sourceCareTeam,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
} from '../importer/source-resources.ts';
import { openSqlite } from '../stores/open-sqlite.ts';

const by = { by: 'Practitioner/ada' } as const;
const why = { ...by, reason: 'Registered twice.' } as const;

const consent = defineExtension({
  url: 'https://acme.example/consent',
  on: 'Immunization',
  value: 'boolean',
});
const forecast = defineExtension({
  url: 'https://acme.example/forecast',
  on: 'Immunization.vaccineCode',
  value: 'code',
});
const origin = defineExtension({ url: 'https://acme.example/origin', on: 'Goal', value: 'Coding', max: 3 });
const alias = defineExtension({ url: 'https://acme.example/alias', on: 'CareTeam', value: 'string' });
const budget = defineExtension({
  url: 'https://acme.example/budget',
  on: 'ServiceRequest',
  value: 'decimal',
});

const extensions = Object.fromEntries(
  [consent, forecast, origin, alias, budget].map((extension) => [extension.url, extension]),
);

const walking = { system: snomed, code: '129006008' } as const;
const running = { system: snomed, code: '418060005' } as const;
const swimming = { system: snomed, code: '20461001' } as const;

const yes = { url: consent.url, valueBoolean: true };
const due = { url: forecast.url, valueCode: 'due' };

const withConsent = (body: object = statement()) =>
  withExtension(withExtension(body, consent, true), forecast, 'due') as ReturnType<typeof statement>;

const open = ({ store, clock }: Clinic, options: Partial<ClinicalRecordsOptions> = {}): ClinicalRecords =>
  createRecords(store, { clock: clock.now, extensions, ...options });

onEveryStore('Extensions of the host', (clinic) => {
  const send = (records = open(clinic())) => createSender(createHandler(records, { chartCommands: true }));

  describe('are stored and read with their resource', () => {
    test('of a POST, at the resource and at an element', async () => {
      const posted = await send()('POST', '/Immunization', { body: withConsent() });
      expect(posted.status).toBe(201);
      const { json } = await send()('GET', posted.headers.location?.replace('/fhir', '') ?? '');
      expect([json.extension, json.vaccineCode.extension]).toEqual([[expect.anything(), yes], [due]]);
      expect(extensionOf(json, consent)).toBe(true);
      expect(extensionOf(json, forecast)).toBe('due');
      // They are shown without being declared, too, and a resource that is read can be sent back.
      const undeclared = await clinic().get(`/Immunization/${json.id}`);
      expect(undeclared.json).toEqual(json);
      const retracted = { ...json, status: 'entered-in-error' };
      expect((await send()('PUT', `/Immunization/${json.id}`, { body: retracted })).status).toBe(200);
      const again = (await send()('GET', `/Immunization/${json.id}`)).json;
      expect(extensionOf(again, consent)).toBe(true);
    });

    test('of a create, a command, a staged command and one that is committed', async () => {
      const records = open(clinic());
      const created = await records.immunizations.create(withConsent(), by);
      const recorded = await records.chart.record(withConsent(immunize()) as never, by);
      const staged = await records.chart.stage(withExtension(goal(), origin, walking, swimming), by);
      expect(staged.command).toMatchObject({
        extension: [{ valueCoding: walking }, { valueCoding: swimming }],
      });
      await records.chart.commit(staged.id, by);
      const order = await records.chart.record(withExtension(labOrder({ id: 'order' }), budget, 0.5), by);
      const { immunizations, goals, serviceRequests } = records;
      expect(extensionOf(created, consent)).toBe(true);
      expect(extensionOf(await immunizations.read(recorded.resourceId), forecast)).toBe('due');
      expect(extensionOf(await goals.read('walk'), origin)).toEqual([walking, swimming]);
      expect(extensionOf(await serviceRequests.read(order.resourceId), budget)).toBe(0.5);
      expect((await records.chart.read(recorded.id)).command).toMatchObject({
        extension: [yes],
        vaccineCode: { extension: [due] },
      });
    });

    test('of a command over HTTP, with the digits of a decimal', async () => {
      const body = JSON.stringify({
        ...withoutId(labOrder()),
        extension: [{ url: budget.url, valueDecimal: 7 }],
      });
      const sent = await send()('POST', '/commands', { body: body.replace('":7}', '":0.50}') });
      expect([sent.status, sent.text]).toEqual([201, 'null']);
      const { text } = await send()('GET', '/ServiceRequest?patient=amy');
      expect(text).toContain('"valueDecimal":0.50');
    });

    test('of a team, in each status, and they stay if an update sends none', async () => {
      const { careTeams } = open(clinic());
      await careTeams.update('amy', withExtension(team(ada), alias, 'Blue'), by);
      expect(extensionOf(await careTeams.read('amy'), alias)).toBe('Blue');
      await careTeams.update('amy', team(), by);
      expect(extensionOf(await careTeams.read('amy.inactive'), alias)).toBe('Blue');
      await careTeams.update('amy', withExtension(team(ada), alias, 'Green'), by);
      expect(extensionOf(await careTeams.read('amy'), alias)).toBe('Green');
    });

    test('and an update of a goal changes them, until it is entered in error', async () => {
      const { chart, goals } = open(clinic());
      await chart.record(withExtension(goal(), origin, walking), by);
      const update = { kind: 'updateGoal', goalId: 'walk', progress: 'A mile' } as const;
      await chart.record(update, by);
      expect(extensionOf(await goals.read('walk'), origin)).toEqual([walking]);
      const changed = await chart.record(withExtension(update, origin, swimming), by);
      expect(extensionOf(await goals.read('walk'), origin)).toEqual([swimming]);
      expect(changed.command).toMatchObject({ extension: [{ valueCoding: swimming }] });
      expect((await chart.stage(withExtension(update, origin, walking), by)).status).toBe('staged');
      expect(extensionOf(await goals.read('walk'), origin)).toEqual([swimming]);
      await chart.enterInError(changed.id, by);
      expect(extensionOf(await goals.read('walk'), origin)).toEqual([walking]);
    });

    test('in the history, an export, another load, a move and a merge', async () => {
      const records = open(clinic());
      await records.directory.put('Patient', { id: 'eve', lastName: 'Hill' });
      const { id } = await records.immunizations.create(withConsent(), by);
      await records.careTeams.update('amy', withExtension(team(ada), alias, 'Blue'), by);
      await records.chart.record(withExtension(goal(), origin, walking), by);
      const exported: object[] = [];
      for await (const resource of (await records.exporter.begin()).resources)
        exported.push(JSON.parse(resource.json));
      const other = createRecords(createMemoryStore(), { extensions });
      const report = await other.importer.load(exported);
      expect(report.issues).toEqual([]);
      expect(Object.keys(report.lostElements).join()).not.toMatch(/value(Boolean|Code|Coding|String)/);
      expect(extensionOf(await other.immunizations.read(id), consent)).toBe(true);
      expect(extensionOf(await other.careTeams.read('amy'), alias)).toBe('Blue');

      await records.corrections.moveToPatient({
        resourceType: 'Goal',
        resourceId: 'walk',
        toPatientId: 'eve',
        ...why,
      });
      const { entry = [] } = await records.goals.search({ patient: 'eve' });
      expect(entry.map(({ resource }) => extensionOf(resource, origin))).toEqual([[walking]]);
      await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'eve', ...why });
      expect(extensionOf(await records.careTeams.read('eve'), alias)).toBe('Blue');
      expect(extensionOf(await records.immunizations.read(id), consent)).toBe(true);
      const { json } = await send()('GET', `/Immunization/${id}/_history/1`);
      expect(extensionOf(json, consent)).toBe(true);
    });
  });

  test('of two teams that are merged, those of the patient who stays count', async () => {
    const records = open(clinic());
    await records.careTeams.update('amy', withExtension(team(ada), alias, 'Blue'), by);
    await records.careTeams.update('ben', withExtension({ ...team(ada), id: 'ben' }, alias, 'Green'), by);
    await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
    expect(extensionOf(await records.careTeams.read('ben'), alias)).toBe('Green');
  });

  const consentOf = (value: object) => statement({ extension: [{ url: consent.url, ...value }] });
  const noteId = { url: `${extensionBase}/note-id`, valueId: 'note-amy' };

  test.each<[string, object, string, string]>([
    ['a value of another type', consentOf({ valueBoolean: 'yes' }), 'type', 'extension[0].valueBoolean'],
    ['another value', consentOf({ valueCode: 'yes' }), 'unknown-element', 'extension[0].valueCode'],
    ['no value', consentOf({}), 'required', 'extension[0].valueBoolean'],
    [
      'a modifierExtension',
      consentOf({ valueBoolean: true, modifierExtension: [] }),
      'modifier-extension',
      'extension[0].modifierExtension',
    ],
    ['a second value', statement({ extension: [noteId, yes, yes] }), 'many', 'extension[2]'],
    [
      'a field at another place',
      statement({ vaccineCode: { ...statement().vaccineCode, extension: [yes] } }),
      'value',
      'vaccineCode.extension[0].url',
    ],
    [
      'a value at an element',
      statement({ vaccineCode: { ...statement().vaccineCode, extension: [{ ...due, valueCode: ' due' }] } }),
      'code-form',
      'vaccineCode.extension[0].valueCode',
    ],
    [
      'what is wrong behind it',
      statement({ extension: [yes, { ...noteId, valueId: '?' }] }),
      'id',
      'extension[1].valueId',
    ],
  ])('a body is refused at what is wrong, by its place as it was sent: %s', async (_, body, rule, place) => {
    const { status, json } = await send()('POST', '/Immunization', { body });
    const found = json.issue.map(
      ({ expression, details }: { expression: string[]; details: { coding: { code: string }[] } }) => [
        details.coding[0]?.code,
        expression,
      ],
    );
    expect(found).toContainEqual([rule, [`Immunization.${place}`]]);
    expect(status).toBe(400);
  });

  test('a command is refused at what is wrong', async () => {
    const body = { ...withoutId(goal()), extension: [{ url: origin.url, valueCoding: 'walking' }] };
    const { status, json } = await send()('POST', '/commands', { body });
    expect([status, json.issue[0].expression]).toEqual([400, ['Command.extension[0].valueCoding']]);
  });

  test('a request with another value under the same key is another one', async () => {
    const { chart } = open(clinic());
    const record = (...codings: (typeof walking | typeof swimming)[]) =>
      outcomeOf(
        chart.record(withExtension({ ...goal(), id: undefined } as never, origin, ...codings), {
          ...by,
          idempotencyKey: 'k',
        }),
      );
    expect((await record(walking))._tag).toBe('Right');
    expect((await record(walking))._tag).toBe('Right');
    expect(await record(swimming)).toMatchObject({ left: { issues: [{ rule: 'idempotency-key-reused' }] } });
  });

  test('an import leaves one out that is not valid, and only that', async () => {
    const records = open(clinic());
    const bad = { url: consent.url, valueBoolean: 'yes' };
    const report = await records.importer.load([
      { ...sourceImmunization('amy'), id: 'shot', extension: [bad, { url: 'urn:other', valueCode: 'x' }] },
      { ...sourceImmunization('amy'), id: 'good', occurrenceDateTime: '2013', extension: [yes] },
      {
        ...sourceGoal('amy'),
        extension: [walking, swimming, walking, running].map((valueCoding) => ({
          url: origin.url,
          valueCoding,
        })),
      },
      { ...sourceOrder('amy'), extension: [{ url: budget.url, valueDecimal: 3 }] },
      {
        ...sourceCareTeam('amy', [{ member: { reference: 'Organization/lab' } }]),
        extension: [{ url: alias.url, valueString: 'Blue' }],
      },
    ]);
    expect(report.issues).toEqual([]);
    expect(report.warnings.map(({ rule, expression }) => [rule, expression])).toEqual([
      ['left-out', 'Immunization.extension[0]'],
      ['left-out', 'Goal.extension[3]'],
    ]);
    expect(report.lostElements).toMatchObject({
      'Goal.extension.valueCoding.code': 1,
      'Immunization.extension': 2,
    });
    expect(await records.immunizations.read('shot')).not.toHaveProperty('extension.1');
    expect(extensionOf(await records.immunizations.read('good'), consent)).toBe(true);
    expect(extensionOf(await records.goals.read('g'), origin)).toEqual([walking, swimming, walking]);
    expect(extensionOf(await records.serviceRequests.read('s'), budget)).toBe(3);
    expect(extensionOf(await records.careTeams.read('amy'), alias)).toBe('Blue');
  });
});

describe('extensions that are declared wrongly are refused', () => {
  test.each<[string, object, string]>([
    ['no object', { 'urn:x': 7 }, 'extensions: urn:x must be an object.'],
    [
      'no URL',
      { consent: { on: 'Goal', value: 'code' } },
      'extensions: consent must be named by an absolute URL.',
    ],
    [
      'a URL of the library',
      { [`${extensionBase}/note-id`]: { on: 'Goal', value: 'code' } },
      `extensions: ${extensionBase}/note-id is one of the library: choose a URL outside of extensionBase.`,
    ],
    ['another url', { 'urn:x': consent }, 'extensions: urn:x has another url: https://acme.example/consent.'],
    ['no type', { 'urn:x': { on: 'Goals', value: 'code' } }, 'extensions: urn:x is on no type: there are'],
    ['a misspelt option', { 'urn:x': { on: 'Goal', value: 'code', min: 1 } }, 'extensions: urn:x has no min'],
    [
      'too many',
      { 'urn:x': { on: 'Goal', value: 'code', max: 101 } },
      'extensions: urn:x needs a max from 1 to 100',
    ],
  ])('%s', (_, declared, sentence) => {
    const open = () => createRecords(createMemoryStore(), { extensions: declared as never });
    expect(open).toThrow(TypeError);
    expect(open).toThrow(sentence);
  });
});

/** Extensions that FHIR R4 and its guides define for these types. */
const standard = 'http://hl7.org/fhir/StructureDefinition';
const fitting: readonly (readonly [name: string, on: string, value: string, sent: unknown])[] = [
  ['careteam-alias', 'CareTeam', 'string', 'Blue team'],
  ['goal-reasonRejected', 'Goal', 'CodeableConcept', { coding: [walking] }],
  ['goal-pertainsToGoal', 'Goal', 'Reference', { reference: 'Goal/run', type: 'Goal' }],
  ['servicerequest-precondition', 'ServiceRequest', 'CodeableConcept', { text: 'Fasting' }],
  [
    'servicerequest-questionnaireRequest',
    'ServiceRequest',
    'Reference',
    { reference: 'Questionnaire/q', type: 'Questionnaire' },
  ],
  ['request-statusReason', 'ServiceRequest', 'CodeableConcept', { text: 'Planned' }],
  ['event-statusReason', 'Immunization', 'CodeableConcept', { text: 'Campaign' }],
  ['event-performerFunction', 'Immunization', 'CodeableConcept', { text: 'Nurse' }],
  ['coding-sctdescid', 'Immunization.vaccineCode', 'string', '129006008'],
  ['iso21090-PQ-translation', 'Immunization.doseQuantity', 'Quantity', { value: 500, unit: 'µL' }],
];

/** Those that no declaration fits, and why: they are complex, or on elements that occur several times or are texts of commands. */
const unfitting: readonly (readonly [name: string, on: string, value: string, why: string])[] = [
  ['goal-acceptance', 'Goal', 'Extension', 'needs a value: one of boolean, string,'],
  ['goal-relationship', 'Goal', 'Extension', 'needs a value: one of boolean, string,'],
  ['regex', 'Goal.description', 'string', 'cannot be on Goal.description. Of Goal, it can be on Goal.'],
  ['goal-target-confidence', 'Goal.target', 'code', 'cannot be on Goal.target.'],
  [
    'careteam-participant-onBehalfOf',
    'CareTeam.participant',
    'Reference',
    'cannot be on CareTeam.participant.',
  ],
  [
    'event-performerFunction',
    'Immunization.performer',
    'CodeableConcept',
    'cannot be on Immunization.performer.',
  ],
  ['data-absent-reason', 'ServiceRequest.category', 'code', 'cannot be on ServiceRequest.category.'],
];

describe('extensions of FHIR', () => {
  test.each(fitting)('%s on %s goes in, and comes out', async (name, on, value, sent) => {
    const url = `${standard}/${name}`;
    const extension = defineExtension({ url, on, value } as typeof alias);
    const records = createRecords(createMemoryStore(), { extensions: { [url]: extension } });
    const [type = '', element = ''] = on.split('.');
    const source: Readonly<Record<string, object>> = {
      CareTeam: sourceCareTeam('amy', [{ member: { reference: 'Organization/lab' } }]),
      Goal: sourceGoal('amy'),
      ServiceRequest: sourceOrder('amy'),
      Immunization: { ...sourceImmunization('amy'), doseQuantity: { value: 0.5 } },
    };
    const { issues, warnings } = await records.importer.load([
      sourcePatient('amy'),
      { resourceType: 'Organization', id: 'lab', name: 'Lab' },
      withExtension(source[type] ?? {}, extension, sent as never),
    ]);
    expect([issues, warnings]).toEqual([[], []]);
    const { text } = await createSender(createHandler(records))('GET', `/${type}?patient=amy`);
    const [{ resource }] = JSON.parse(text).entry;
    expect(extensionOf(resource, extension)).toEqual(sent);
    expect(element === '' ? resource.extension : resource[element].extension).toContainEqual(
      expect.objectContaining({ url }),
    );
  });

  test.each(unfitting)('%s on %s is refused with a sentence', (name, on, value, why) => {
    const url = `${standard}/${name}`;
    expect(() =>
      createRecords(createMemoryStore(), { extensions: { [url]: { on, value } as never } }),
    ).toThrow(`extensions: ${url} ${why}`);
  });
});

describe('the descriptions have the extensions', () => {
  const records = createRecords(createMemoryStore(), { extensions });
  const fetch = async (path: string) =>
    (await createSender(createHandler(records, { chartCommands: true }))('GET', path, { token: null })).json;

  test('OpenAPI in the resource, in bodies and in commands', async () => {
    const { schemas } = (await fetch('/openapi.json')).components;
    const urls = (schema: object) => JSON.stringify(schema).match(/https:\/\/acme\.example\/\w+/g) ?? [];
    expect(new Set(urls(schemas.Immunization))).toEqual(new Set([consent.url, forecast.url]));
    expect(new Set(urls(schemas['Immunization.create']))).toEqual(new Set([consent.url, forecast.url]));
    expect(new Set(urls(schemas['CareTeam.update']))).toEqual(new Set([alias.url]));
    expect(new Set(urls(schemas['Command.create']))).toEqual(
      new Set([consent.url, forecast.url, origin.url, budget.url]),
    );
  });

  test('/metadata in the documentation of the type', async () => {
    const { rest } = await fetch('/metadata');
    const { documentation } = rest[0].resource.find(({ type }: { type: string }) => type === 'Goal');
    expect(documentation).toBe('Extensions:\n- `https://acme.example/origin` on `Goal`: Coding');
  });

  test('`records.bodies` accept them, and keep them', () => {
    const { create } = records.bodies.Immunization;
    expect(create['~standard'].validate(withConsent())).toMatchObject({
      value: { extension: [yes], vaccineCode: { extension: [due] } },
    });
    expect(
      create['~standard'].validate(statement({ extension: [{ ...yes, valueBoolean: 7 }] })),
    ).toMatchObject({
      issues: [{ path: ['extension', 0, 'valueBoolean'] }],
    });
  });
});

test('a body that `records.bodies` has validated can be changed and sent', async () => {
  const records = createRecords(createMemoryStore(), { extensions });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const { value } = records.bodies.Immunization.create['~standard'].validate(withConsent()) as {
    readonly value: ReturnType<typeof statement>;
  };
  const dose = await records.immunizations.create(withExtension(value, consent, false));
  expect([extensionOf(dose, consent), extensionOf(dose, forecast)]).toEqual([false, 'due']);
});

test('OpenAPI with extensions is valid, and says what is sent and read', async () => {
  const records = createRecords(createMemoryStore(), { extensions });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const send = createSender(createHandler(records, { chartCommands: true }));
  const document = (await send('GET', '/openapi.json', { token: null })).json;
  expect(await openApiValidator.validate({ ...document })).toEqual({ valid: true });
  const faultsOf = createValidator(document);
  const body = withConsent();
  const created = await send('POST', '/Immunization', { body, headers: { prefer: 'return=representation' } });
  const { schemas } = document.components;
  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(Object.keys(schemas)).toContain('Immunization.create');
  expect(faultsOf(refTo('Immunization'), created.json)).toBeNull();
  expect(faultsOf(refTo('Immunization.create'), body)).toBeNull();
  expect(
    faultsOf(refTo('Immunization'), { ...created.json, extension: [{ ...yes, valueBoolean: 7 }] }),
  ).not.toBeNull();
});

test('`_elements` selects them, and a validation judges them', async () => {
  const records = createRecords(createMemoryStore(), { extensions });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const send = createSender(createHandler(records));
  await send('POST', '/Immunization', { body: withConsent() });
  const { json } = await send('GET', '/Immunization?patient=amy&_elements=extension');
  expect(json.entry[0].resource.extension).toContainEqual(yes);
  const validated = await send('POST', '/Immunization/$validate', {
    body: statement({ extension: [{ ...yes, valueBoolean: 'yes' }] }),
  });
  expect(validated.json.issue).toMatchObject([
    { severity: 'error', expression: ['Immunization.extension[0].valueBoolean'] },
  ]);
});

test("a rule of the host reads them: a field that the clinic requires is the rule's", async () => {
  const records = createRecords(createMemoryStore(), {
    extensions,
    rules: {
      Immunization: ({ after }) =>
        extensionOf(after, consent) === undefined
          ? [{ rule: 'consent', message: 'Say whether she agrees.' }]
          : [],
    },
  });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  expect((await outcomeOf(records.immunizations.create(statement())))._tag).toBe('Left');
  expect((await outcomeOf(records.immunizations.create(withConsent())))._tag).toBe('Right');
});

const searched = Object.fromEntries(
  [
    { ...consent, search: 'acme-consent' },
    { ...forecast, search: 'acme-forecast' },
    { ...origin, search: 'acme-origin' },
    { ...alias, search: 'acme-alias' },
    { url: 'https://acme.example/due', on: 'ServiceRequest', value: 'date', search: 'acme-due' } as const,
  ].map((extension) => [extension.url, extension]),
);
const dueDate = defineExtension({ url: 'https://acme.example/due', on: 'ServiceRequest', value: 'date' });

describe.each([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('extensions of the host that are searched (%s)', (_, openStore) => {
  const openOn = async (
    store: ClinicalStore,
    declared: NonNullable<ClinicalRecordsOptions['extensions']>,
  ) => {
    const records = createRecords(store, { clock: createClock().now, extensions: declared });
    for (const id of ['amy', 'ben']) await records.directory.put('Patient', { id, lastName: 'Shaw' });
    await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
    await records.directory.put('Note', { id: 'note-amy', patientId: 'amy' });
    return records;
  };
  const openSearched = async () => openOn(openStore(), searched);

  const idsOf = async (records: ClinicalRecords, path: string) => {
    const { json } = await createSender(createHandler(records))('GET', path);
    return (
      json.entry?.map(({ resource }: { resource: { id: string } }) => resource.id) ?? [
        json.total ?? json.issue,
      ]
    );
  };

  const fill = async (records: ClinicalRecords) => {
    const { immunizations, chart, careTeams } = records;
    const first = await immunizations.create(withConsent(), by);
    const second = await immunizations.create(withExtension(statement(), consent, false), by);
    const third = await immunizations.create(statement(), by);
    await chart.record(withExtension(goal(), origin, walking, swimming), by);
    await chart.record(withExtension(labOrder({ id: 'order' }), dueDate, '2026-05-04'), by);
    await careTeams.update('amy', withExtension(team(ada), alias, 'The blue team'), by);
    return [first.id, second.id, third.id];
  };

  test('are found by their parameters, of each kind', async () => {
    const records = await openSearched();
    const [first, second, third] = await fill(records);
    const find = (path: string) => idsOf(records, path);
    expect(await find('/Immunization?acme-consent=true')).toEqual([first]);
    expect(await find('/Immunization?patient=amy&acme-consent=false')).toEqual([second]);
    expect(await find('/Immunization?acme-consent=true,false')).toEqual([first, second]);
    expect(await find('/Immunization?acme-consent:missing=true')).toEqual([third]);
    expect(await find('/Immunization?acme-consent:not=true')).toEqual([second, third]);
    expect(await find('/Immunization?acme-forecast=due')).toEqual([first]);
    expect(await find(`/Goal?acme-origin=${snomed}|${swimming.code}`)).toEqual(['walk']);
    expect(await find('/Goal?acme-origin=nothing')).toEqual([0]);
    expect(await find('/ServiceRequest?acme-due=ge2026-05&_sort=-acme-due')).toEqual(['order']);
    expect(await find('/ServiceRequest?acme-due=lt2026-05')).toEqual([0]);
    expect(await find('/CareTeam?acme-alias=blu')).toEqual(['amy']);
    expect((await records.immunizations.search([['acme-consent', 'true']])).total).toBe(1);
    const { discrepancies, miscounted } = await records.verify();
    expect([discrepancies, miscounted]).toEqual([[], []]);
  });

  test('refuse a value that their type does not have', async () => {
    const { status, json } = await createSender(createHandler(await openSearched()))(
      'GET',
      '/Immunization?acme-consent=maybe',
    );
    expect([status, json.issue[0].details.coding[0].code, json.issue[0].expression]).toEqual([
      400,
      'search-code',
      ['http.acme-consent'],
    ]);
  });

  test('follow an update of a goal, and a merge', async () => {
    const records = await openSearched();
    await fill(records);
    const update = { kind: 'updateGoal', goalId: 'walk' } as const;
    await records.chart.record(withExtension({ ...update, progress: 'A mile' }, origin, running), by);
    expect(await idsOf(records, `/Goal?acme-origin=${running.code}`)).toEqual(['walk']);
    expect(await idsOf(records, `/Goal?acme-origin=${walking.code}`)).toEqual([0]);
    await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
    expect(await idsOf(records, '/CareTeam?acme-alias=blue')).toEqual(['ben']);
    expect((await idsOf(records, '/Immunization?patient=ben&acme-consent=true')).length).toBe(1);
  });

  test('a parameter that is added later is refused until the records are indexed by it, and is never empty', async () => {
    const store = openStore();
    const [first] = await fill(await openOn(store, { ...extensions, [dueDate.url]: dueDate }));
    const records = await openOn(store, searched);
    const refused = (issue: object) => ({ left: { _tag: 'StoreFailure', issues: [issue] } });
    const find = () => outcomeOf(records.immunizations.search([['acme-consent', 'true']]));
    expect(await find()).toMatchObject(refused({ rule: 'outdated-index' }));
    // A write in between does not change that.
    await records.immunizations.create(withConsent(), by);
    expect(await find()).toMatchObject(refused({ rule: 'outdated-index' }));
    expect((await records.immunizations.search({ patient: 'amy' })).total).toBe(4);
    await records.reindex();
    const found = await records.immunizations.search([['acme-consent', 'true']]);
    expect([found.total, found.entry?.[0]?.resource.id]).toEqual([2, first]);
    // Another extension behind the same name is another parameter.
    const renamed = { 'urn:other': { ...consent, url: 'urn:other', search: 'acme-consent' } };
    const other = await openOn(store, renamed);
    expect(await outcomeOf(other.immunizations.search([['acme-consent', 'true']]))).toMatchObject(
      refused({ rule: 'outdated-index' }),
    );
  });

  test('are described', async () => {
    const records = await openSearched();
    const parameter = records
      .describe()
      .resources.Immunization.parameters.find(({ name }) => name === 'acme-consent');
    expect(parameter).toMatchObject({ searchType: 'token' });
    expect(
      createRecords(openStore(), { extensions }).describe().resources.Immunization.parameters,
    ).not.toContainEqual(expect.objectContaining({ name: 'acme-consent' }));
  });

  test('limit a scope and a caller as other parameters do', async () => {
    const records = await openSearched();
    const [first, second] = await fill(records);
    const matching = [[['acme-consent', 'true']]] as const;
    const read = (id = '') => outcomeOf(records.immunizations.read(id, { matching }));
    expect((await read(first))._tag).toBe('Right');
    expect(await read(second)).toMatchObject({ left: { _tag: 'NotFound' } });
  });
});

test.each<[string, object, string]>([
  [
    'a parameter of the type',
    { ...consent, search: 'date' },
    'cannot be searched by date, which is a parameter already.',
  ],
  [
    'another form',
    { ...consent, search: 'Acme' },
    'needs another search: lower-case letters, digits and hyphens',
  ],
  [
    'a value that is not searched',
    { url: consent.url, on: 'Goal', value: 'decimal', search: 'acme' },
    'cannot be searched: only a value of boolean,',
  ],
])('a search that is declared wrongly is refused: %s', (_, extension, sentence) => {
  expect(() =>
    createRecords(createMemoryStore(), { extensions: { [consent.url]: extension as never } }),
  ).toThrow(`extensions: ${consent.url} ${sentence}`);
});
