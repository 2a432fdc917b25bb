import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTeamId, participantStatuses, teamId } from '../../src/directory/model.ts';

test("the id equals the patient's identifier for the active team", () => {
  expect(teamId('p1', 'active')).toBe('p1');
  expect(parseTeamId('p1')).toEqual({ patientId: 'p1', suffix: null });
});

test.each(['proposed', 'suspended', 'inactive', 'entered-in-error'] as const)(
  'the id for participants in status %s is the patient identifier followed by the status',
  (status) => {
    expect(teamId('p1', status)).toBe(`p1.${status}`);
    expect(parseTeamId(`p1.${status}`)).toEqual({ patientId: 'p1', suffix: status });
  },
);

test('a suffix of active is read as one', () => {
  expect(parseTeamId('p1.active')).toEqual({ patientId: 'p1', suffix: 'active' });
});

test.each(['p.1', 'p1.', 'p1.closed', 'p1-inactive', 'p1inactive', 'p1.Inactive', 'p1.inactive.x'])(
  '%s is the id of a patient, without a status as a suffix',
  (id) => {
    expect(parseTeamId(id)).toEqual({ patientId: id, suffix: null });
  },
);

test('only the last suffix is the status', () => {
  expect(parseTeamId('p1.inactive.suspended')).toEqual({ patientId: 'p1.inactive', suffix: 'suspended' });
});

test('an id that is made and parsed has the same parts', () => {
  const patientIds = fc.stringMatching(/^[A-Za-z0-9-]{1,64}$/);
  fc.assert(
    fc.property(patientIds, fc.constantFrom(...participantStatuses), (patientId, status) => {
      const suffix = status === 'active' ? null : status;
      expect(parseTeamId(teamId(patientId, status))).toEqual({ patientId, suffix });
    }),
  );
});
