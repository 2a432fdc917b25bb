import { describe, expect, test } from 'vitest';
import { ada, bob, lab, leadExtension, participant, team } from '../../builders.ts';
import { cardiologist, nurse } from '../../clinic.ts';
import { membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage, sentenceOf } from '../host/create-loader.ts';
import { sourceCareTeam, sourcePractitioner } from './source-resources.ts';

const careTeam = (id: string, status: string, ...participants: readonly object[]) =>
  sourceCareTeam('amy', participants, { id, status });

onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);
  const participants = async (id: string) => membersOf(await clinic().records.careTeams.read(id));

  test('A practitioner or an organization who cannot join is an issue, because somebody is missing on the team', async () => {
    const nurses = ['ada', 'bob', 'nobody'].map((id) => participant(`Practitioner/${id}`, nurse));
    const others = [
      participant('Practitioner/cyd', { ...nurse, code: 'surgeon' }),
      participant('Patient/amy', nurse),
    ];
    const report = await clinic().records.importer.load([careTeam('t', 'active', ...nurses, ...others)]);
    expect(report.imported).toEqual({ CareTeam: 1 });
    expect(report.issues.map(({ rule, outcome, expression }) => [rule, outcome, expression])).toEqual([
      ['unknown-practitioner', 'imported', 'CareTeam.participant[2]'],
      ['role-taken', 'imported', 'CareTeam.participant[1]'],
      ['role-required', 'imported', 'CareTeam.participant[3]'],
    ]);
    expect(report.warnings.map(({ rule }) => rule)).toEqual(['invalid-member']);
    expect(await participants('amy')).toEqual(['Practitioner/ada']);
  });

  describe('Of several imported statuses, the one nearest to active counts (active, proposed, suspended, inactive, entered-in-error), in any order of import', () => {
    test('On an active team, a participant whose period has ended is imported as inactive, one whose period has not begun as proposed', async () => {
      const over = { ...ada, period: { end: '2020' } };
      const later = { ...participant('Practitioner/cyd', cardiologist), period: { start: '2030' } };
      const teams = [
        careTeam('old', 'inactive', ada, participant('Organization/lab', cardiologist)),
        careTeam('over', 'active', over),
        careTeam('new', 'active', ada, bob, later),
      ];
      expect(await load(...teams)).toEqual({ imported: { CareTeam: 2 }, problems: [] });
      for (const again of [teams, teams.toReversed()]) {
        expect(await load(...again)).toEqual({ imported: {}, problems: [] });
        expect(await participants('amy')).toEqual(['Practitioner/ada', 'Practitioner/bob']);
        expect(await participants('amy.inactive')).toEqual(['Organization/lab']);
        expect(await participants('amy.proposed')).toEqual(['Practitioner/cyd']);
      }
    });
  });

  test('A member whom the clinic has added or changed keeps that status; if only the source has the member as active, that is reported', async () => {
    const team = careTeam('new', 'active', ada);
    await load(team);
    const { setParticipantStatus } = clinic().records.careTeams;
    await setParticipantStatus('amy', 'Practitioner/ada', 'inactive');
    expect((await load(team)).problems).toEqual([
      'new: CareTeam.participant[0]: Already on the team with another status; the import did not change it.',
    ]);
    expect(await participants('amy.inactive')).toEqual(['Practitioner/ada']);
  });

  test('A member of a care team who is entered in error in the source is reported, too', async () => {
    const inError = careTeam(
      't',
      'entered-in-error',
      ada,
      bob,
      participant('Organization/lab', cardiologist),
    );
    await load(careTeam('t', 'active', ada));
    const message =
      't: CareTeam.participant[0]: The source system has marked the resource as entered in error. The import did not change it.';
    expect(await load(inError)).toEqual({ imported: { CareTeam: 1 }, problems: [message] });
    expect(await load(inError)).toEqual({ imported: {}, problems: [message] });
    expect(await participants('amy')).toEqual(['Practitioner/ada']);
    expect(await participants('amy.entered-in-error')).toEqual(['Practitioner/bob', 'Organization/lab']);
    await clinic().records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'entered-in-error');
    expect((await load(inError)).problems).toEqual([]);
  });

  test("The interface's marker makes a practitioner the lead, in the role beside it, if the team has no lead and all its members are imported; otherwise it is left out and reported", async () => {
    const leads = async () =>
      ((await clinic().records.careTeams.read('amy')).participant ?? []).map(
        ({ extension }) => extension?.[0]?.valueBoolean,
      );
    const both = [
      { ...ada, extension: leadExtension(true) },
      { ...bob, extension: leadExtension(false) },
    ];
    const team = careTeam('t', 'active', ...both);
    expect(await load(team)).toEqual({ imported: { CareTeam: 1 }, problems: [] });
    expect(await load(team)).toEqual({ imported: {}, problems: [] });
    expect(await leads()).toEqual([true, false]);
    const message = `CareTeam.participant[0].extension: ${leftOutMessage}`;
    const report = await load(careTeam('u', 'active', { ...bob, extension: leadExtension(true) }));
    expect(report).toEqual({ imported: {}, problems: [`u: ${message}`] });
    const { careTeams } = clinic().records;
    const withoutLead = both.map((one) => ({ ...one, extension: leadExtension(false) }));
    await careTeams.asJson.update('amy', { id: 'amy', participant: withoutLead });
    expect(await load(team)).toEqual({ imported: {}, problems: [`t: ${message}`] });
    expect(await leads()).toEqual([false, false]);
  });

  test('a second import of the same files changes nothing, not even a lead whose role is not configured', async () => {
    const unconfigured = { coding: [{ system: 'urn:x', code: 'pcp' }] };
    const asLead = { ...ada, role: [unconfigured], extension: leadExtension(true) };
    const first = await load(careTeam('t', 'active', asLead, ada));
    expect(first).toEqual({
      imported: { CareTeam: 1 },
      problems: [
        't: CareTeam.participant[0]: A practitioner on a care team must have a role.',
        `t: CareTeam.participant[0].extension: ${leftOutMessage}`,
      ],
    });
    expect(await load(careTeam('t', 'active', asLead, ada))).toEqual({ ...first, imported: {} });
  });

  test('Roles must be configured, and the first counts; each other one is left out and reported', async () => {
    const role = [{ coding: [cardiologist] }, { text: 'Helper' }, { coding: [nurse] }];
    const message = [
      `t: CareTeam.participant[0].role[1]: ${leftOutMessage}`,
      `t: CareTeam.participant[0].role[2].coding[0]: ${leftOutMessage}`,
    ];
    const team = careTeam('t', 'active', { ...ada, role });
    expect(await load(team)).toEqual({ imported: { CareTeam: 1 }, problems: message });
    expect(await load(team)).toEqual({ imported: {}, problems: message });
    const { participant: [answered] = [] } = await clinic().records.careTeams.read('amy');
    expect(answered?.role).toEqual([{ coding: [cardiologist] }]);
  });

  test('a care team that another instance returns is imported as it is', async () => {
    const { careTeams } = clinic().records;
    await careTeams.update('amy', team(ada, lab));
    const { participant: answered, ...rest } = await careTeams.read('amy');
    const theirs = { ...rest, id: 'ben', subject: { reference: 'Patient/ben' }, participant: answered };
    expect(await load(theirs)).toEqual({ imported: { CareTeam: 1 }, problems: [] });
    expect((await careTeams.read('ben')).participant).toEqual(answered);
  });

  test('without a named practitioner, the rest is imported: a care team with its other participants', async () => {
    const eve = sourcePractitioner('eve');
    const report = await load(
      careTeam(
        't',
        'active',
        participant('Practitioner/gone', cardiologist),
        participant('Practitioner/eve', nurse),
      ),
      careTeam('u', 'inactive', participant('Practitioner/eve', nurse)),
      eve,
    );
    expect(report).toEqual({
      imported: { Practitioner: 1, CareTeam: 2 },
      problems: ['t: CareTeam.participant[0]: There is no such practitioner.'],
    });
    expect(await participants('amy')).toEqual(['Practitioner/eve']);
  });

  test('A care team without anybody who can join is reported, and counts neither as imported nor as unchanged', async () => {
    const nobody = 'CareTeam.participant: No participant of the care team can be imported.';
    const { importer } = clinic().records;
    const stranger = careTeam('t', 'active', participant('RelatedPerson/niece', null));
    const report = await importer.load([stranger, careTeam('u', 'active')]);
    expect(report).toMatchObject({ imported: {}, unchanged: {} });
    expect(report.issues.map((issue) => `${issue.id}: ${sentenceOf(issue)}`)).toEqual([
      't: CareTeam.participant[0].member: A member must be a reference such as Practitioner/12 or Organization/31.',
      `t: ${nobody}`,
      `u: ${nobody}`,
    ]);
    expect(report.issuesByRule).toMatchObject({ 'no-importable-participant': 2 });
  });

  test('a care team whose subject is not a patient, or is unknown, is reported', async () => {
    const of = (reference: string) => ({ resourceType: 'CareTeam', id: 't', subject: { reference } });
    expect(await load(of('Group/g'), of('Patient/nobody'))).toEqual({
      imported: {},
      problems: [
        't: CareTeam.subject: Must be a relative reference of an allowed type. Allowed: Patient/<id>.',
        't: CareTeam.subject: There is no such patient.',
      ],
    });
  });
});
