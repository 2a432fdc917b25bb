import { createMemoryStore } from '@clinical-records/store-memory';
import { evaluatePath, findFhirIssues } from '@clinical-records/testing-profiles';
import { expect, test } from 'vitest';
import { issuesOf } from '../documents/check-profiles.ts';
import { idsOf } from '../response-helpers.ts';
import { by, clinicalStatus, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';

const categories = 'http://terminology.hl7.org/CodeSystem/condition-category';

test('what is read is valid FHIR, and names the profile of US Core to which it conforms', async () => {
  const { records, get } = await openClinic(createMemoryStore());
  const category = [{ coding: [{ system: categories, code: 'problem-list-item' }] }];
  const all = {
    category,
    abatementDateTime: '2025-01-01',
    onsetDateTime: '2024',
    recorder: { reference: 'Practitioner/ada', display: 'Ada Byron' },
    identifier: [{ system: 'urn:oid:1.2.3', value: 'C-1' }],
    meta: { tag: [{ code: 'outside' }] },
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'resolved' }],
    },
  };
  await records.importer.load([
    sourceCondition('whole', 'amy', all),
    sourceCondition('other', 'amy', { category: undefined }),
  ]);
  const { id } = await records.allergies.create(
    nuts({
      note: [{ text: 'Since childhood', time: '2026-01-01' }],
      recordedDate: '2026-01-02',
      type: 'allergy',
    }),
    { by },
  );
  for (const path of ['/Condition/whole', '/Condition/other', `/AllergyIntolerance/${id}`])
    expect([path, issuesOf((await get(path)).json)]).toEqual([path, []]);
  for (const path of [
    '/Condition?patient=amy',
    `/AllergyIntolerance/${id}/_history`,
    '/Patient/amy/$everything',
  ])
    expect([path, findFhirIssues((await get(path)).json)]).toEqual([path, []]);
});

test('a condition has each element that US Core demands, and each of its searches finds it', async () => {
  const url = 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate';
  const extensions = {
    [url]: { url, on: 'Condition', value: 'dateTime', search: 'asserted-date' },
  } as const;
  const { records, get } = await openClinic(createMemoryStore(), { extensions });
  await records.importer.load([
    sourceCondition('a', 'amy', {
      category: [{ coding: [{ system: categories, code: 'problem-list-item' }] }],
      clinicalStatus: clinicalStatus('resolved'),
      verificationStatus: verificationStatus('confirmed'),
      ...{ onsetDateTime: '2024-01-02', abatementDateTime: '2024-03-04', recordedDate: '2024-01-05' },
      extension: [{ url, valueDateTime: '2024-01-03' }],
    }),
    sourceCondition('b', 'amy', { code: { coding: [{ code: '195967001' }] } }),
  ]);
  const { json: condition } = await get('/Condition/a');
  const mustSupport = [
    ...['clinicalStatus', 'verificationStatus', 'category', 'code', 'subject', 'recordedDate'],
    ...['onsetDateTime', 'abatementDateTime', `extension('${url}')`],
  ];
  expect(mustSupport.filter((path) => evaluatePath(condition, path).length === 0)).toEqual([]);
  for (const query of [
    `category=${categories}|problem-list-item`,
    `category=${categories}|problem-list-item&clinical-status=resolved`,
    `category=${categories}|problem-list-item&encounter=Encounter/visit-amy`,
    ...['clinical-status=resolved', 'code=38341003', 'abatement-date=2024-03-04', 'onset-date=ge2024-01-02'],
    ...['asserted-date=2024-01-03', 'recorded-date=lt2024-02'],
  ])
    expect([query, idsOf(await get(`/Condition?patient=amy&${query}`))]).toEqual([query, ['a']]);
});

test('a validator notices what is not', async () => {
  const { records } = await openClinic(createMemoryStore());
  const { id } = await records.allergies.create(nuts(), { by });
  const { code: _, ...without } = await records.allergies.read(id);
  expect(issuesOf(without)).not.toEqual([]);
  expect(findFhirIssues({ ...without, criticality: verificationStatus('high') })).not.toEqual([]);
});
