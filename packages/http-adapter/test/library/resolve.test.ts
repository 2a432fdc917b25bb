import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type ClinicalRecordsOptions, type DirectoryInput, orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, noteId, statement, team } from '../builders.ts';
import { recordsOn } from '../clinic.ts';

const host = (resolve: NonNullable<ClinicalRecordsOptions['resolve']>) =>
  recordsOn(createMemoryStore(), { resolve });

test('a patient whom resolve supplies has a team, which has a history, whichever is asked for first', async () => {
  const { careTeams } = host((_type, id) => ({ id, lastName: 'Hill', firstName: 'Amy' }));
  expect(await orThrow(careTeams.history('amy'))).toMatchObject([{ version: 1 }]);
  expect(await orThrow(careTeams.history('amy'))).toHaveLength(1);
});

test('resolve is not asked for what is no id', async () => {
  const asked: string[] = [];
  const { careTeams } = host((_type, id) => {
    asked.push(id);
    return null;
  });
  for (const id of ['a\0b', '../secret', 'x'.repeat(65), '']) {
    await expect(orThrow(careTeams.read(id))).rejects.toMatchObject({ _tag: 'NotFound' });
  }
  expect(asked).toEqual([]);
});

test('resolve is not asked by a search that names no patient', async () => {
  const asked: string[] = [];
  const { careTeams } = host((_type, id) => {
    asked.push(id);
    return null;
  });
  expect((await orThrow(careTeams.search({ status: 'active' }))).total).toBe(0);
  expect(asked).toEqual([]);
});

test('resolve is not asked for a patient whose id would name a team of another status', async () => {
  const asked: string[] = [];
  const { careTeams, chart } = host((type, id) => {
    asked.push(`${type}/${id}`);
    return type === 'Practitioner' ? { id, lastName: 'Byron', firstName: 'Ada' } : null;
  });
  expect((await orThrow(careTeams.search({ patient: 'amy.inactive' }))).total).toBe(0);
  const staged = chart.stage({ kind: 'goal', patientId: 'amy.inactive', description: 'Walk a mile' });
  expect(await staged()).toMatchObject({ left: { faults: [{ rule: 'unknown-patient' }] } });
  expect(asked).toEqual([]);
});

describe('however many a request mentions, resolve is asked for each once, and for ten at a time', () => {
  const ids = Array.from({ length: 45 }, (_, index) => `${index}`);
  const askedOf = () => {
    const asked: string[] = [];
    const moments: number[] = [];
    let now = 0;
    const records = host(async (type, id) => {
      if (id === 'amy') return { id, lastName: 'Shaw', firstName: 'Amy' };
      asked.push(`${type}/${id}`);
      now += 1;
      moments.push(now);
      await setImmediate();
      now -= 1;
      return null;
    });
    return { records, asked, atOnce: () => Math.max(...moments) };
  };

  test('as members of a care team: those sent twice are refused with the unknown ones', async () => {
    const { records, asked, atOnce } = askedOf();
    const participant = [...ids, '0'].map((id) => ({ member: { reference: `Organization/${id}` } }));
    const refused = await records.careTeams.update('amy', { id: 'amy', participant })();
    expect(refused).toMatchObject({ left: { _tag: 'RuleViolation' } });
    const rules = (refused._tag === 'Left' ? refused.left.faults : []).map(({ rule }) => rule);
    expect(rules).toEqual([
      ...Array.from({ length: 46 }, () => 'unknown-organization'),
      'participant-once',
      'participant-once',
    ]);
    expect(asked).toEqual(ids.map((id) => `Organization/${id}`));
    expect(atOnce()).toBe(10);
  });

  test('as patients of a search: those whom all of its conditions name', async () => {
    const { records, asked, atOnce } = askedOf();
    const patient = [[...ids, ...ids].join(','), ['none', ...ids.slice(0, 30)].join(',')];
    expect((await orThrow(records.careTeams.search({ patient }))).total).toBe(0);
    expect(asked).toEqual(ids.slice(0, 30).map((id) => `Patient/${id}`));
    expect(atOnce()).toBe(10);
  });
});

test('resolve is asked on first mention, once, and what it answers is kept', async () => {
  const asked: string[] = [];
  const { careTeams } = host((type, id) => {
    asked.push(`${type}/${id}`);
    return type === 'Patient'
      ? { id, lastName: 'Shaw', firstName: 'Amy' }
      : { id, lastName: 'Byron', firstName: 'Ada' };
  });
  expect((await orThrow(careTeams.search({ patient: 'amy', status: 'active' }))).total).toBe(1);
  await orThrow(careTeams.update('amy', team(ada)));
  await orThrow(careTeams.update('amy', team(ada)));
  expect(asked).toEqual(['Patient/amy', 'Practitioner/ada']);
  expect((await orThrow(careTeams.read('amy'))).participant?.[0]?.member.display).toBe('Ada Byron');
});

test.each([
  ['Patient', { lastName: 'Reed', firstName: 'Eve' }, { lastName: 'Gray' }],
  ['Practitioner', { lastName: 'Reed', firstName: 'Eve' }, { lastName: 'Gray' }],
  ['Organization', { name: 'Laboratory' }, { name: 'Lab Ltd' }],
  ['Encounter', { patientId: 'amy', noteId: 'one' }, { noteId: 'another' }],
  ['Note', { patientId: 'amy', title: 'New' }, { title: 'Old' }],
] as const)(
  'what resolve answers of a %s replaces nothing that was put while it was asked',
  async (type, put, late) => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<DirectoryInput[typeof type]>();
    const { directory } = host((mentioned) => {
      if (mentioned !== type) return null;
      asked.resolve();
      return answered.promise;
    });
    await orThrow(directory.putPatient({ id: 'amy', lastName: 'Shaw', firstName: 'Amy' }));
    const reading = directory.read(type, 'new')();
    await asked.promise;
    const kept = await directory[`put${type}`]({ id: 'new', ...put } as never)();
    expect(kept).toMatchObject({ right: put });
    answered.resolve({ id: 'new', ...put, ...late } as never);
    expect(await reading).toEqual(kept);
    expect(await directory.read(type, 'new')()).toEqual(kept);
  },
);

test('what resolve answers of a note that came to be while it was asked fills what is not said of it yet', async () => {
  const { directory } = host((type) =>
    type === 'Encounter'
      ? { id: 'visit', patientId: 'amy', noteId: 'story' }
      : type === 'Note'
        ? { id: 'story', patientId: 'amy', encounterId: 'visit', title: 'Visit', dateOfService: '2026-01-02' }
        : null,
  );
  await orThrow(directory.putPatient({ id: 'amy', lastName: 'Shaw', firstName: 'Amy' }));
  expect(await orThrow(directory.read('Note', 'story'))).toEqual({
    id: 'story',
    patientId: 'amy',
    encounterId: 'visit',
    title: 'Visit',
    dateOfService: '2026-01-02',
  });
});

describe('an encounter that is put without its note while resolve is asked', () => {
  const readWhileAnswering = async (answer: DirectoryInput['Encounter']) => {
    const { directory } = host(async (type) => {
      if (type !== 'Encounter') return null;
      await orThrow(directory.putEncounter({ id: 'visit', patientId: 'amy' }));
      return answer;
    });
    for (const id of ['amy', 'bob'])
      await orThrow(directory.putPatient({ id, lastName: 'Shaw', firstName: '' }));
    return { directory, read: await directory.read('Encounter', 'visit')() };
  };

  test('gets the note that resolve answers', async () => {
    const { read } = await readWhileAnswering({ id: 'visit', patientId: 'amy', noteId: 'story' });
    expect(read).toMatchObject({ right: { noteId: 'story' } });
  });

  test('gets nothing of what resolve answers of another patient', async () => {
    const { directory, read } = await readWhileAnswering({ id: 'visit', patientId: 'bob', noteId: 'story' });
    expect(read).toMatchObject({ left: { faults: [{ rule: 'encounter-of-another-patient' }] } });
    expect(await orThrow(directory.read('Note', 'story'))).toBeNull();
  });
});

test('who the host does not know either is not found', async () => {
  const { careTeams } = host(() => null);
  await expect(orThrow(careTeams.read('amy'))).rejects.toMatchObject({ _tag: 'NotFound', id: 'amy' });
});

test.each([
  ['throws', () => Promise.reject(new Error('down'))],
  ['answers another id', () => ({ id: 'ben', lastName: 'Okoro', firstName: 'Ben' })],
  ['answers no such entry', (_: string, id: string) => ({ id, name: 'Amy' })],
  ['answers no object', () => 'amy' as never],
])('a host that %s is a StoreFailure, and nothing is kept', async (_, resolve) => {
  const { careTeams, immunizations } = host(resolve);
  const failing = { left: { _tag: 'StoreFailure', faults: [{ rule: 'resolve-failed' }] } };
  expect(await careTeams.read('amy')()).toMatchObject(failing);
  for (const status of ['completed', 'not-done'])
    expect(await immunizations.create(statement({ status }))()).toMatchObject(failing);
});

describe('the cause of resolve-failed says what was wrong, and nothing of what was answered', () => {
  const causeOf = async (answer: object) => {
    const error = await host(() => answer as never)
      .careTeams.read('7')()
      .then((result) => (result._tag === 'Left' ? result.left : null));
    const cause = error !== null && 'cause' in error ? error.cause : null;
    expect(inspect(cause, { depth: null })).not.toMatch(/Shaw|Amy/);
    return cause;
  };
  const amy = { lastName: 'Shaw', firstName: 'Amy' };

  test.each([7, '8', undefined])('an id of %j, where 7 was asked for as a text', async (id) => {
    expect(await causeOf({ id, ...amy })).toMatchObject({
      message: expect.stringMatching(
        /^resolve answered a Patient whose id .+ INTEGER PRIMARY KEY.+String\(id\)\.$/,
      ),
    });
  });
  test('an element that is missing or of another type', async () => {
    expect(await causeOf({ id: '7', lastName: ['Shaw', 'Amy'] })).toMatchObject({
      faults: [
        { rule: 'type', expression: 'Patient.lastName' },
        { rule: 'required', expression: 'Patient.firstName' },
      ],
    });
  });
});

test('of what resolve answers, properties that an entry does not have are left out', async () => {
  const row = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', birthDate: '1980-01-02', room: null };
  const { directory } = host(() => row);
  expect(await orThrow(directory.read('Patient', 'amy'))).toEqual({
    id: 'amy',
    lastName: 'Shaw',
    firstName: 'Amy',
    lastModified: expect.any(Number),
  });
});

test('of what resolve answers, null is as if it had been left out', async () => {
  const row = { id: 'visit', patientId: 'amy', noteId: null } as unknown as DirectoryInput['Encounter'];
  const { directory } = host((type) =>
    type === 'Patient' ? { id: 'amy', lastName: 'Shaw', firstName: 'Amy' } : row,
  );
  expect(await orThrow(directory.read('Encounter', 'visit'))).toEqual(row);
});

describe('what resolve answers of encounters and notes', () => {
  const visit = { id: 'visit', patientId: 'amy' };
  /** A host of one patient with one encounter and its note; each answer can be another. */
  const clinicOf = (answers: {
    readonly Encounter: DirectoryInput['Encounter'];
    readonly Note: DirectoryInput['Note'];
  }) =>
    host((type) => {
      if (type === 'Patient') return { id: 'amy', lastName: 'Shaw', firstName: 'Amy' };
      return type === 'Encounter' || type === 'Note' ? answers[type] : null;
    });
  const encounter = { reference: 'Encounter/visit' };
  const extension = noteId('note');

  test.each([
    ['the encounter', { encounter }],
    ['the note', { extension }],
    ['both', { encounter, extension }],
  ])('the statement goes into the note that the encounter has: %s sent', async (_what, sent) => {
    const told = { id: 'note', patientId: 'amy' };
    for (const answers of [
      { Encounter: { ...visit, noteId: 'note' }, Note: told },
      { Encounter: { ...visit, noteId: 'note' }, Note: { ...told, encounterId: 'visit' } },
      ...('extension' in sent ? [{ Encounter: visit, Note: { ...told, encounterId: 'visit' } }] : []),
    ]) {
      const { immunizations, directory } = clinicOf(answers);
      const made = await orThrow(immunizations.create(statement(sent)));
      expect(made.extension).toEqual(extension);
      await orThrow(directory.putNote({ ...told, encounterId: 'visit' }));
    }
  });

  test('whoever is limited to one chart is told of no other why a note or an encounter cannot be taken', async () => {
    const answers: Readonly<Record<string, DirectoryInput['Encounter'] | DirectoryInput['Note']>> = {
      'Encounter/hers': { id: 'hers', patientId: 'ben', noteId: 'taken' },
      'Encounter/first': { id: 'first', patientId: 'ben', noteId: 'taken' },
      'Encounter/ghost': { id: 'ghost', patientId: 'nobody' },
      'Encounter/mine': { id: 'mine', patientId: 'amy', noteId: 'taken' },
      'Note/his': { id: 'his', patientId: 'ben', encounterId: 'first' },
    };
    const records = host((type, id) =>
      type === 'Patient' && id !== 'nobody'
        ? { id, lastName: 'Shaw', firstName: id }
        : (answers[`${type}/${id}`] ?? null),
    );
    await orThrow(records.directory.read('Encounter', 'first'));
    const toldOf = async (sent: object) => {
      const made = await records.immunizations.create(statement(sent), { within: 'amy' })();
      return 'left' in made ? made.left.faults.map(({ rule, expression }) => `${rule} at ${expression}`) : [];
    };
    for (const id of ['hers', 'ghost', 'mine', 'none']) {
      expect(await toldOf({ encounter: { reference: `Encounter/${id}` } })).toEqual([
        'unknown-encounter at Immunization.encounter',
      ]);
    }
    for (const id of ['his', 'none']) {
      expect(await toldOf({ extension: noteId(id) })).toEqual(['unknown-note at Immunization.extension[0]']);
    }
  });

  test('an encounter of a patient whom the host does not know either is a violation, told where it was mentioned', async () => {
    const records = host((type, id) => {
      if (type === 'Encounter') return { id, patientId: 'nobody' };
      return id === 'amy' ? { id, lastName: 'Shaw', firstName: 'Amy' } : null;
    });
    const toldAt = (expression: string) => ({
      left: { _tag: 'RuleViolation', faults: [{ rule: 'unknown-patient', expression }] },
    });
    const made = await records.immunizations.create(statement({ encounter }))();
    expect(made).toMatchObject(toldAt('Immunization.encounter'));
    const put = await records.directory.putNote({ id: 'note', patientId: 'amy', encounterId: 'visit' })();
    expect(put).toMatchObject(toldAt('Note.encounterId'));
  });
});
