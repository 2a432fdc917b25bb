import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf as toResponse } from '../../../src/index.ts';
import { ada, statement, team } from '../../builders.ts';
import { type Clinic, cardiologist, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';

describe('a message lists what is allowed at its place', () => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(createMemoryStore());
  });

  const issuesOf = async (call: Promise<unknown>) => {
    const outcome = await outcomeOf(call);
    if (outcome._tag === 'Right') throw new Error('It succeeded.');
    return outcome.left.issues.map(({ message, expression }) => [expression, message]);
  };

  test('the configured roles', async () => {
    const { careTeams } = clinic.records;
    const role = { system: cardiologist.system, code: 'nurse', display: 'Nurse' };
    const message = expect.stringMatching(
      `^Not one of the configured care team roles\\. Allowed: .*${cardiologist.code}`,
    );
    expect(
      await issuesOf(careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role })),
    ).toEqual([['role', message]]);
    const body = { ...team(ada), participant: [{ ...ada, role: [{ coding: [role] }] }] };
    expect(await issuesOf(careTeams.asJson.update('amy', body))).toEqual([
      ['CareTeam.participant[0].role', message],
    ]);
  });

  test('the JSON types of an element', async () => {
    const entry = { id: 7, lastName: 'Shaw', identifier: 'R-1007', deceased: 0 } as unknown as {
      id: string;
      lastName: string;
    };
    const wrong = 'The element has the wrong JSON type.';
    expect(await issuesOf(clinic.records.directory.put('Patient', entry))).toEqual([
      ['Patient.id', `${wrong} Allowed: string.`],
      ['Patient.deceased', `${wrong} Allowed: boolean, date, string.`],
      ['Patient.identifier', `${wrong} Allowed: array.`],
    ]);
    const body = { ...statement(), doseQuantity: { value: '0.5' }, primarySource: 'no', note: ['No fever.'] };
    expect(await issuesOf(clinic.records.immunizations.asJson.create(body))).toEqual([
      ['Immunization.primarySource', `${wrong} Allowed: boolean.`],
      ['Immunization.note[0]', `${wrong} Allowed: object.`],
      ['Immunization.doseQuantity.value', `${wrong} Allowed: number.`],
    ]);
  });

  test('the types of a reference', async () => {
    const { careTeams, goals } = clinic.records;
    const member = { reference: 'Patient/amy' };
    const body = { ...team(ada), participant: [{ ...ada, member }] };
    expect(await issuesOf(careTeams.asJson.update('amy', body))).toEqual([
      [
        'CareTeam.participant[0].member.reference',
        'Must be a relative reference of an allowed type. Allowed: Practitioner/<id>, Organization/<id>.',
      ],
    ]);
    expect(await issuesOf(goals.search([['patient', 'Practitioner/ada']]))).toEqual([
      ['patient', 'Must be an id, or a reference of an allowed type. Allowed: Patient/<id>.'],
    ]);
  });

  test('the codes of a parameter, which has a prefix only over HTTP', async () => {
    const search = clinic.records.serviceRequests.search([['status', 'finished']]);
    expect(await issuesOf(search)).toEqual([
      [
        'status',
        expect.stringMatching(
          /^Not one of the codes of this parameter\. Allowed: active, completed, draft, /,
        ),
      ],
    ]);
    const outcome = await outcomeOf(search);
    if (outcome._tag === 'Right') throw new Error('It succeeded.');
    expect(toResponse(outcome.left).outcome.issue.map(({ expression }) => expression)).toEqual([
      ['http.status'],
    ]);
  });
});
