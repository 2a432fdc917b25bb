import { expect, test } from 'vitest';
import { ada, team } from '../../builders.ts';
import { cardiologist } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('records.directory', (clinic) => {
  test('names shown in a care team are derived again when the directory learns a new name', async () => {
    const { careTeams, directory } = clinic().records;
    await careTeams.update('amy', team(ada));
    await careTeams.setParticipantStatus('ben', 'Practitioner/ada', 'proposed', { role: cardiologist });
    const before = await careTeams.asJson.read('amy');
    await directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
    await directory.put('Patient', { id: 'ben', lastName: 'Obi', firstName: 'Ben' });
    const amys = await careTeams.asJson.read('amy');
    expect(JSON.parse(amys.json).participant[0].member.display).toBe('Ada Lovelace');
    expect([amys.version, amys.lastModified]).toEqual([before.version + 1, before.lastModified]);
    const bens = await careTeams.read('ben.proposed');
    expect(bens.participant?.[0]?.member.display).toBe('Ada Lovelace');
    expect([bens.name, bens.subject.display]).toEqual(['Care Team for Obi, Ben', 'Obi, Ben']);
  });

  test('an entry that is put again without a change changes nothing', async () => {
    const { directory } = clinic().records;
    const before = await clinic().feed();
    await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
    await directory.put('Note', { id: 'note-amy', patientId: 'amy', encounterId: 'visit-amy' });
    expect(await clinic().feed()).toEqual(before);
  });

  test('a call without a known type is refused with a sentence that lists the types', async () => {
    const { directory } = clinic().records;
    const untyped = directory as unknown as Record<
      keyof typeof directory,
      (type: unknown, id?: string) => Promise<unknown>
    >;
    const isRefused = { left: { _tag: 'InvalidRequest', issues: [{ rule: 'value', expression: 'type' }] } };
    const put = await outcomeOf(untyped.put({ id: 'lee', lastName: 'Lee' }));
    expect(put).toMatchObject(isRefused);
    expect(put).toMatchObject({
      left: {
        issues: [
          {
            message:
              'Not one of the allowed values. Allowed: Patient, Practitioner, Organization, Encounter, Note.',
          },
        ],
      },
    });
    expect(await outcomeOf(untyped.read('Device', '1'))).toMatchObject(isRefused);
    expect(await outcomeOf(untyped.readResource('Note', '1'))).toMatchObject(isRefused);
  });

  test('a first name may be empty, and has no characters that a text cannot have', async () => {
    const named = (firstName: string) =>
      outcomeOf(clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName }));
    expect(await named('A\u0001')).toMatchObject({
      left: { issues: [{ rule: 'text', expression: 'Patient.firstName' }] },
    });
    expect(await named('')).toMatchObject({ right: { firstName: '' } });
  });

  test.each([undefined, null, ''])(
    'a person with %j as a first name is shown by the last name',
    async (firstName) => {
      const { directory, careTeams } = clinic().records;
      await directory.put('Patient', { id: 'lee', lastName: 'Lee', firstName });
      const entry = { id: 'yu', lastName: 'Yu', firstName: '' };
      expect(await directory.put('Practitioner', { ...entry, firstName })).toEqual(entry);
      await careTeams.setParticipantStatus('lee', 'Practitioner/yu', 'active', { role: cardiologist });
      expect(await careTeams.read('lee')).toMatchObject({
        name: 'Care Team for Lee',
        subject: { display: 'Lee' },
        participant: [{ member: { display: 'Yu' } }],
      });
    },
  );

  test('an entry or a command with an invalid name is refused, with an issue for each such name', async () => {
    const { directory, chart } = clinic().records;
    const entry = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', middleName: 'B', nick: 'A' };
    const put = await outcomeOf(directory.put('Patient', entry));
    expect(put).toMatchObject({
      left: {
        issues: [
          { rule: 'unknown-element', expression: 'Patient.middleName' },
          { rule: 'unknown-element', expression: 'Patient.nick' },
        ],
      },
    });
    const coding = { system: 'unstructured', code: 'flu', name: 'Flu' } as const;
    const staged = await outcomeOf(
      chart.stage({
        kind: 'immunize',
        patientId: 'amy',
        vaccineCode: { coding: [coding] },
        occurrenceDateTime: '2024-10-02',
      }),
    );
    expect(staged).toMatchObject({
      left: {
        issues: [{ rule: 'unknown-element', expression: 'Command.vaccineCode.coding[0].name' }],
      },
    });
  });

  test('an encounter and a note stay with their patient', async () => {
    const { directory } = clinic().records;
    const moved = [
      directory.put('Encounter', { id: 'visit-amy', patientId: 'ben' }),
      directory.put('Note', { id: 'note-amy', patientId: 'ben' }),
      directory.put('Note', { id: 'other', patientId: 'amy', encounterId: 'visit-amy' }),
      directory.put('Encounter', { id: 'new', patientId: 'nobody' }),
      directory.put('Note', { id: 'new', patientId: 'nobody' }),
    ];
    const outcomes = (await Promise.allSettled(moved)).map(
      (one) => one.status === 'rejected' && [one.reason.issues[0].rule, one.reason.issues[0].expression],
    );
    expect(outcomes).toEqual([
      ['encounter-of-another-patient', 'Encounter.patientId'],
      ['note-of-another-patient', 'Note.patientId'],
      ['note-of-another-encounter', 'Note.encounterId'],
      ['unknown-patient', 'Encounter.patientId'],
      ['unknown-patient', 'Note.patientId'],
    ]);
  });
});
