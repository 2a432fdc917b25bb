import { findFhirIssues, findMissingElements } from '@clinical-records/testing-profiles';
import { beforeEach, describe, expect, test } from 'vitest';
import { ada, goal, hemoglobin, immunize, labOrder, team } from '../../builders.ts';
import { issuesOf } from '../../documents/check-profiles.ts';
import { onEveryStore } from '../../stores.ts';

const ids = { ServiceRequest: 'hb', Goal: 'walk', CareTeam: 'amy', Immunization: 'shot' };

onEveryStore('What the service does', (clinic) => {
  beforeEach(async () => {
    await clinic().record(
      labOrder({
        id: 'hb',
        code: { coding: [hemoglobin], text: 'Hemoglobin' },
        occurrencePeriod: { start: '2026-03-02' },
        encounter: { reference: 'Encounter/visit' },
        reasonConditionIds: ['anemia'],
      }),
    );
    await clinic().record(goal({ startDate: '2026-03-01', dueDate: '2026-06-01' }));
    await clinic().record(
      immunize({
        statusReason: { coding: [{ code: 'PATOBJ' }] },
        lotNumber: 'A-1',
        location: { reference: 'Location/ward' },
        performer: [{ actor: { reference: 'Practitioner/ada' } }],
      }),
    );
    await clinic().put('/CareTeam/amy', team(ada));
  });

  describe.each([
    'The resources follow the US Core STU6.1 profiles of the respective FHIR resource types',
    'The resource shapes follow the US Core STU6.1 profiles (ServiceRequest, Goal, CareTeam, Immunization)',
  ])('%s', () => {
    test.each(Object.entries(ids))('%s', async (type, id) => {
      const { json } = await clinic().get(`/${type}/${id}`);
      expect(issuesOf(json)).toEqual([]);
      expect(findMissingElements([json]).filter((path) => path.startsWith(`${type}.`))).toEqual([]);
    });
  });

  test.each(['/Goal', '/CareTeam?_count=0', '/Goal/walk/_history', '/Goal/none', '/Goal?x=1', '/metadata'])(
    '%s is valid FHIR, too',
    async (path) => {
      expect(findFhirIssues((await clinic().get(path)).json)).toEqual([]);
    },
  );
});
