import { expect, test } from 'vitest';
import { ada, cvx, goal, immunizationStatement, influenza, lab, labOrder, team } from '../../builders.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const usCore = (type: string) => `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${type}`;
const review = { system: 'urn:tags', code: 'review' };
const restricted = { system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' };

onEveryStore('Decisions: Search', (clinic) => {
  const found = async (path: string) => idsOf(await clinic().get(encodeURI(path)));

  test('orders by requester, encounter, intent, priority and occurrence', async () => {
    const { record } = clinic();
    const period = { start: '2026-03-01T08:00:00Z', end: '2026-03-01T09:00:00Z' };
    await record(
      labOrder({ id: 'urgent', priority: 'urgent', occurrencePeriod: period, requesterId: 'bob' }),
    );
    await record(labOrder({ id: 'visit', encounter: { reference: 'Encounter/visit-amy' } }));
    await record(
      labOrder({ id: 'daily', occurrenceTiming: { repeat: { boundsPeriod: { start: '2026-04-01' } } } }),
    );
    for (const [query, ids] of [
      ['requester=Practitioner/bob', ['urgent']],
      ['requester:Practitioner=ada', ['visit', 'daily']],
      ['encounter=visit-amy', ['visit']],
      ['encounter:missing=true', ['urgent', 'daily']],
      ['intent=order', ['urgent', 'visit', 'daily']],
      ['intent=plan', []],
      ['intent:not=order', []],
      ['intent:missing=false', ['urgent', 'visit', 'daily']],
      ['priority=urgent,stat', ['urgent']],
      ['priority:not=urgent', ['visit', 'daily']],
      ['occurrence=2026-03-01', ['urgent']],
      ['occurrence=ge2026-03-02', ['daily']],
      ['occurrence:missing=true', ['visit']],
      ['_sort=-occurrence', ['daily', 'urgent', 'visit']],
    ] as const) {
      expect([query, await found(`/ServiceRequest?${query}`)]).toEqual([query, ids]);
    }
    expectError(await clinic().get('/ServiceRequest?priority=high'), 400, 'http.priority');
    expectError(await clinic().get('/ServiceRequest?requester=Patient/amy'), 400, 'http.requester');
  });

  test('goals by start date and achievement status', async () => {
    const { record } = clinic();
    await record(goal({ id: 'walk', startDate: '2026-03-01', achievementStatus: 'improving' }));
    await record(goal({ id: 'run' }));
    for (const [query, ids] of [
      ['start-date=2026-03', ['walk']],
      ['start-date=lt2026', []],
      ['start-date:missing=true', ['run']],
      ['achievement-status=improving', ['walk']],
      ['achievement-status=http://terminology.hl7.org/CodeSystem/goal-achievement|achieved', []],
      ['achievement-status:not=improving', ['run']],
      ['_sort=-start-date', ['walk', 'run']],
    ] as const) {
      expect([query, await found(`/Goal?${query}`)]).toEqual([query, ids]);
    }
  });

  test('immunizations by vaccine and lot', async () => {
    const { record } = clinic();
    await record(immunizationStatement({ id: 'flu', lotNumber: 'AB-1234' }));
    await record(
      immunizationStatement({ id: 'covid', vaccineCode: { coding: [{ system: cvx, code: '207' }] } }),
    );
    for (const [query, ids] of [
      [`vaccine-code=${influenza.code}`, ['flu']],
      [`vaccine-code=${cvx}|`, ['flu', 'covid']],
      ['vaccine-code:not=207', ['flu']],
      ['lot-number=ab-12', ['flu']],
      ['lot-number=AB-1234,XY', ['flu']],
      ['lot-number=1235', []],
      ['lot-number:missing=true', ['covid']],
    ] as const) {
      expect([query, await found(`/Immunization?${query}`)]).toEqual([query, ids]);
    }
  });

  test('all by tag, security label and profile', async () => {
    const { record, records } = clinic();
    const meta = { tag: [review, { display: 'without a code' }], security: [restricted] };
    await record(labOrder({ id: 'labelled', meta }));
    await record(labOrder({ id: 'plain' }));
    await record(goal({ id: 'labelled', meta }));
    await record(immunizationStatement({ id: 'labelled', meta }));
    const unstructured = { coding: [{ system: 'unstructured', code: 'Flu shot' }] } as const;
    await record(immunizationStatement({ id: 'plain', vaccineCode: unstructured }));
    await records.careTeams.update('amy', team(ada, lab));
    await records.careTeams.update('ben', { ...team(ada), id: 'ben', meta });
    for (const [query, ids] of [
      ['ServiceRequest?_tag=review', ['labelled']],
      ['ServiceRequest?_tag=urn:tags|', ['labelled']],
      ['ServiceRequest?_tag:not=review', ['plain']],
      ['Goal?_security=R', ['labelled']],
      ['Goal?_security=other', []],
      ['Immunization?_security:missing=true', ['plain']],
      ['CareTeam?_tag=urn:tags|review', ['ben']],
      [`ServiceRequest?_profile=${usCore('servicerequest')}`, ['labelled', 'plain']],
      [`ServiceRequest?_profile=${usCore('goal')}`, []],
      [`Immunization?_profile=${usCore('immunization')}`, ['labelled']],
      ['Immunization?_profile:missing=true', ['plain']],
      [`CareTeam?_profile=urn:x,${usCore('careteam')}`, ['ben']],
    ] as const) {
      expect([query, await found(`/${query}`)]).toEqual([query, ids]);
    }
    expectError(await clinic().get('/Goal?_profile='), 400, 'http._profile');
  });
});
