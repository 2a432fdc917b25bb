import { beforeEach, describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, leadExtension, participant, team } from '../builders.ts';
import { cardiologist } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

/**
 * The requirements of the US Core profiles: the elements that must be supported, including all required ones, and the
 * bound values. Source: US Core STU6.1, the StructureDefinitions of the four profiles.
 */
const profiles = {
  ServiceRequest: {
    supported: [
      ...['status', 'intent', 'category', 'code', 'subject', 'occurrencePeriod', 'authoredOn', 'requester'],
    ],
    bound: {
      status: ['draft', 'active', 'on-hold', 'revoked', 'completed', 'entered-in-error', 'unknown'],
      intent: ['proposal', 'plan', 'directive', 'order', 'original-order', 'reflex-order', 'filler-order'],
    },
  },
  Goal: {
    supported: ['lifecycleStatus', 'description', 'subject', 'startDate', 'target', 'target[].dueDate'],
    bound: {
      lifecycleStatus: [
        ...['proposed', 'planned', 'accepted', 'active', 'on-hold', 'completed', 'cancelled'],
        ...['entered-in-error', 'rejected'],
      ],
    },
  },
  CareTeam: {
    supported: ['status', 'subject', 'participant', 'participant[].role', 'participant[].member'],
    bound: { status: ['proposed', 'active', 'suspended', 'inactive', 'entered-in-error'] },
  },
  Immunization: {
    supported: [
      ...['status', 'statusReason', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'],
    ],
    bound: { status: ['completed', 'entered-in-error', 'not-done'] },
  },
} as const;

const ids = { ServiceRequest: 'hb', Goal: 'walk', CareTeam: 'amy', Immunization: 'shot' };

onEveryStore('What the service does', (clinic) => {
  beforeEach(async () => {
    await clinic().record(labOrder({ id: 'hb', occurrencePeriod: { start: '2026-03-02' } }));
    await clinic().record(goal({ startDate: '2026-03-01', dueDate: '2026-06-01' }));
    await clinic().record(immunize({ statusReason: { coding: [{ code: 'PATOBJ' }] } }));
    await clinic().put(
      '/CareTeam/amy',
      team(participant('Practitioner/ada', cardiologist, leadExtension(true))),
    );
  });

  describe.each([
    'The resources follow the US Core STU6.1 profiles of the respective FHIR resource types',
    'The resource shapes follow the US Core STU6.1 profiles (ServiceRequest, Goal, CareTeam, Immunization)',
  ])('%s', () => {
    test.each(Object.entries(profiles))('%s', async (type, { supported, bound }) => {
      const { json } = await clinic().get(`/${type}/${ids[type as keyof typeof ids]}`);
      for (const element of supported) {
        const [outer = '', inner] = element.split('[].');
        const holders = inner === undefined ? [json] : json[outer];
        for (const holder of holders) expect(holder).toHaveProperty([inner ?? outer], expect.anything());
      }
      for (const [element, codes] of Object.entries(bound)) expect(codes).toContain(json[element]);
    });
  });
});
