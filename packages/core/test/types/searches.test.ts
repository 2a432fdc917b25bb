import { expectTypeOf, test } from 'vitest';
import type { ClinicalRecords, ServiceRequestSearch } from '../../src/index.ts';

declare const records: ClinicalRecords;

test('a search has the parameters of its type', () => {
  const search = () => [
    records.goals.search({ _id: 'walk', patient: '7', _count: 20 }),
    records.serviceRequests.search({ patient: 'Patient/7', authored: ['ge2025', 'lt2026'], code: '718-7' }),
    records.careTeams.search({ participant: 'Practitioner/12', status: 'active' }),
    records.goals.all({ patient: '7' }),
    records.goals.asJson.search({ patient: '7' }),
    // @ts-expect-error misspelt
    records.goals.search({ patiant: '7' }),
    // @ts-expect-error misspelt
    records.goals.all({ patiant: '7' }),
    // @ts-expect-error misspelt
    records.goals.asJson.search({ patiant: '7' }),
    // @ts-expect-error a goal is not found by its status
    records.goals.search({ status: 'active' }),
  ];
  expectTypeOf(search).toBeFunction();
});

test('a status and a category are among the known codes', () => {
  const search = () => [
    records.careTeams.search({ status: 'active,proposed' }),
    records.careTeams.search({ status: 'http://hl7.org/fhir/care-team-status|active' }),
    records.serviceRequests.search({ category: ['363679005'], status: 'draft' }),
    // @ts-expect-error misspelt
    records.careTeams.search({ status: 'activ' }),
    // @ts-expect-error misspelt
    records.serviceRequests.search({ status: 'drafts' }),
    // @ts-expect-error no code of a category
    records.serviceRequests.search({ category: '363679006' }),
  ];
  expectTypeOf(search).toBeFunction();
  expectTypeOf<'draft'>().toExtend<ServiceRequestSearch['status']>();
});

test('a parameter has a modifier if its type allows it', () => {
  const search = () => [
    records.goals.search({ 'lifecycle-status:not': 'active', 'target-date:missing': true, '_id:not': '7' }),
    records.careTeams.search({ 'participant:missing': 'false' }),
    // @ts-expect-error misspelt
    records.goals.search({ 'lifecycle-status:not': 'activ' }),
    // @ts-expect-error a date
    records.goals.search({ 'target-date:not': '2026' }),
    // @ts-expect-error a Provenance is not stored
    records.provenances.search({ 'target:missing': true }),
  ];
  expectTypeOf(search).toBeFunction();
});

test('a patient and a participant cannot be swapped', () => {
  const search = () => [
    // @ts-expect-error a participant is a practitioner or an organization
    records.careTeams.search({ participant: 'Patient/7', patient: 'Practitioner/12' }),
    records.careTeams.setParticipantStatus('7', 'Practitioner/12', 'active'),
    // @ts-expect-error the patient comes first
    records.careTeams.setParticipantStatus('Practitioner/12', '7', 'active'),
  ];
  expectTypeOf(search).toBeFunction();
});

test('the query of a request is accepted as it is', () => {
  const search = (query: URLSearchParams, text: Record<string, string>) => [
    records.goals.search(query),
    records.goals.asJson.search(Object.entries(text)),
  ];
  expectTypeOf(search).toBeFunction();
});
