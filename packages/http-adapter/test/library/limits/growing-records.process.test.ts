import { describe, expect, test } from 'vitest';
import { immunizationStatement, lab, noteIdExtension, statement, team } from '../../builders.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage } from '../host/create-loader.ts';
import { sourceCareTeam, sourceImmunization } from '../importer/source-resources.ts';

onEveryStore('The bounds of records that clients make grow', (clinic) => {
  const load = createLoader(clinic);

  describe('a note without an encounter', () => {
    const inNote = { patientId: 'amy', noteId: 'loose' };
    const importInto = (count: number) =>
      load(
        ...Array.from({ length: count }, (_, at) =>
          sourceImmunization('amy', {
            id: `dose-${at}`,
            occurrenceDateTime: `${1800 + at}`,
            extension: noteIdExtension('loose'),
          }),
        ),
      );
    const addDose = () => clinic().record(immunizationStatement({ id: undefined, ...inNote }));

    test('lists 200 immunizations, and refuses another one', async () => {
      const { directory } = clinic().records;
      await directory.put('Note', { id: 'loose', patientId: 'amy' });
      await importInto(199);
      await addDose();
      expect(await outcomeOf(addDose())).toMatchObject({
        left: { issues: [{ rule: 'note-full', expression: 'Command.noteId' }] },
      });
      const body = statement({ extension: noteIdExtension('loose') });
      expectError(await clinic().post('/Immunization', body), 422, 'Immunization.extension[0]');
      expect((await directory.read('Note', 'loose'))?.immunizationIds).toHaveLength(200);
    });

    test('of another patient is not said to be full', async () => {
      await clinic().records.directory.put('Note', { id: 'loose', patientId: 'amy' });
      await importInto(200);
      const body = statement({
        patient: { reference: 'Patient/ben' },
        extension: noteIdExtension('loose'),
      });
      const { json } = await clinic().post('/Immunization', body);
      expect(json.issue.map(({ diagnostics }: { diagnostics: string }) => diagnostics)).toEqual([
        'The note belongs to another patient.',
      ]);
    });

    test('takes more once it has its encounter, which all of them get', async () => {
      const { directory } = clinic().records;
      await directory.put('Note', { id: 'loose', patientId: 'amy' });
      await importInto(200);
      await directory.put('Encounter', { id: 'later', patientId: 'amy', noteId: 'loose' });
      await addDose();
      expect((await clinic().get('/Immunization/dose-199')).json.encounter.reference).toBe('Encounter/later');
      expect(await directory.read('Note', 'loose')).not.toHaveProperty('immunizationIds');
    });

    test('is left out and reported for a dose of an import, which gets a note of its own', async () => {
      await clinic().records.directory.put('Note', { id: 'loose', patientId: 'amy' });
      const { imported, problems } = await importInto(201);
      expect(imported).toEqual({ Immunization: 201 });
      expect(problems).toEqual([`dose-200: Immunization.extension: ${leftOutMessage}`]);
      const { extension } = (await clinic().get('/Immunization/dose-200')).json;
      expect(extension[0].valueId).not.toBe('loose');
    });
  });

  describe('a care team', () => {
    const organizations = Array.from({ length: 1_001 }, (_, at) => `o${at}`);
    const participants = (ids: readonly string[]) =>
      ids.map((id) => ({ member: { reference: `Organization/${id}` } }));
    const full = 'The care team would have more than 1,000 participants, in all statuses together.';
    const importTeam = async (count: number) => {
      const source = organizations.map((id) => ({ resourceType: 'Organization', id, name: id }));
      return load(...source, sourceCareTeam('amy', participants(organizations.slice(0, count))));
    };

    test('has 1,000 participants, and gets no other one, in whatever status', async () => {
      const { problems } = await importTeam(1_001);
      expect(problems).toEqual([`t: CareTeam.participant[1000]: ${full}`]);
      expectError(await clinic().put('/CareTeam/amy', team(lab)), 422, 'CareTeam.participant');
      const { careTeams } = clinic().records;
      for (const status of ['active', 'inactive', 'entered-in-error'] as const) {
        expect(
          await outcomeOf(careTeams.setParticipantStatus('amy', 'Organization/lab', status)),
        ).toMatchObject({ left: { _tag: 'RuleViolation', issues: [{ rule: 'team-full' }] } });
      }
    });

    test('lets its members change and leave', async () => {
      await importTeam(1_000);
      const { careTeams } = clinic().records;
      await careTeams.setParticipantStatus('amy', 'Organization/o1', 'suspended');
      const kept = team(...participants(['o0', 'o1']));
      expect((await clinic().put('/CareTeam/amy', kept)).status).toBe(200);
      expect((await careTeams.read('amy.inactive')).participant).toHaveLength(998);
      expect((await clinic().put('/CareTeam/amy', team())).status).toBe(200);
      await careTeams.removeAllParticipants('amy');
      expect((await clinic().put('/CareTeam/amy', team(lab))).status).toBe(200);
    });

    test('gets 1,000 identifiers at most from its imports, and the others are reported', async () => {
      const numbers = (prefix: string) =>
        Array.from({ length: 600 }, (_, at) => ({ system: 'urn:oid:1.2', value: `${prefix}${at}` }));
      const sources = ['lab', 'home'].map((id) =>
        sourceCareTeam('amy', participants([id]), { id, identifier: numbers(id) }),
      );
      const { imported, problems } = await load(...sources);
      expect(imported).toEqual({ CareTeam: 2 });
      expect(problems).toEqual([`home: CareTeam.identifier: ${leftOutMessage}`]);
      expect((await clinic().records.careTeams.read('amy')).identifier).toHaveLength(1_000);
    });
  });
});
