import { createMemoryStore } from '@clinical-records/store-memory';
import { findFhirIssues } from '@clinical-records/testing-profiles';
import { expect, test } from 'vitest';
import { issuesOf } from '../check-profiles.ts';
import { by, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';

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

test('a validator notices what is not', async () => {
  const { records } = await openClinic(createMemoryStore());
  const { id } = await records.allergies.create(nuts(), { by });
  const { code: _, ...without } = await records.allergies.read(id);
  expect(issuesOf(without)).not.toEqual([]);
  expect(findFhirIssues({ ...without, criticality: verificationStatus('high') })).not.toEqual([]);
});
