import type { ClinicalRecords, ClinicalRecordsOptions, HostIssue } from '@clinical-records/core';
import { ada, bob, enteredInError, goal, immunize, labOrder, statement, team } from '../../builders.ts';
import { extensionBase } from '../../clinic.ts';
import { sourceImmunization } from '../importer/source-resources.ts';

export const by = { by: 'Practitioner/ada' } as const;
export const why = { ...by, reason: 'Registered twice.' } as const;
const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
export const system = `${extensionBase}/rules`;

export type Rules = NonNullable<ClinicalRecordsOptions['rules']>;

export const imported = (id: string) => ({ ...sourceImmunization('amy'), id });

export const never = { rule: 'acme-never', message: 'Acme does not want it.' } as const;

export const always =
  (severity: HostIssue['severity'] = 'error') =>
  () => [{ ...never, severity }];

/** The same rule for all types. */
export const everywhere = (rule: Rules['Goal']): Rules =>
  ({ ServiceRequest: rule, Goal: rule, CareTeam: rule, Immunization: rule }) as unknown as Rules;

/** The same rule for all types, about one resource only: of a team, that which is written first. */
export const onlyOneOf = (rule: () => readonly HostIssue[]): Rules => {
  let isAsked = false;
  return everywhere(() => {
    if (isAsked) return [];
    isAsked = true;
    return rule();
  });
};

/** Writes into the chart before. */
export const fill = async ({ chart, careTeams, immunizations, directory }: ClinicalRecords) => {
  await directory.put('Patient', { id: 'eve', lastName: 'Hill' });
  await chart.record(goal(), by);
  await chart.stage(goal({ id: 'run' }));
  await chart.record(labOrder({ id: 'order' }), by);
  await chart.stage(labOrder({ id: 'draft' }));
  await chart.completeOrder((await chart.record(labOrder({ id: 'done' }), by)).id, by);
  await chart.record(immunize({ kind: 'immunizationStatement', id: 'shot' }), by);
  await chart.stage(immunize({ id: 'planned' }));
  await careTeams.update('amy', team(ada));
  await immunizations.read('shot');
};

type Hearing = { readonly onWarnings?: (warnings: readonly unknown[]) => void };

export type Write = (on: ClinicalRecords, hearing?: Hearing) => Promise<unknown>;

/** The writes that an error of a rule refuses. */
export const refusable: Readonly<Record<string, Write>> = {
  create: ({ immunizations }, hearing) => immunizations.create(statement(), { ...by, ...hearing }),
  'create with a key': ({ immunizations }, hearing) =>
    immunizations.create(statement(), { ...by, ...hearing, idempotencyKey: 'k' }),
  'create within a chart': ({ immunizations }, hearing) =>
    immunizations.create(statement(), { ...by, ...hearing, within: 'amy' }),
  'create if none exists': ({ immunizations }, hearing) =>
    immunizations.create(statement({ identifier }), {
      ...by,
      ...hearing,
      ifNoneExist: 'identifier=urn:oid:1.2.3|A-1',
    }),
  'update of a team': ({ careTeams }, hearing) =>
    careTeams.update('amy', team(ada, bob), { ...by, ...hearing }),
  'status of a participant': ({ careTeams }, hearing) =>
    careTeams.setParticipantStatus('amy', 'Organization/lab', 'proposed', { ...by, ...hearing }),
  'stage of an order, which reads as a draft': ({ chart }, hearing) =>
    chart.stage(labOrder({ id: 'new' }), { ...by, ...hearing }),
  'commit of an order': ({ chart }, hearing) => chart.commit('ServiceRequest/draft/0', { ...by, ...hearing }),
  'commit of a goal': ({ chart }, hearing) => chart.commit('Goal/run/0', { ...by, ...hearing }),
  'commit of an immunization': ({ chart }, hearing) =>
    chart.commit('Immunization/planned/0', { ...by, ...hearing }),
  'record of an order': ({ chart }, hearing) => chart.record(labOrder({ id: 'new' }), { ...by, ...hearing }),
  'record of a goal with a key': ({ chart }, hearing) =>
    chart.record(goal({ id: 'new' }), { ...by, ...hearing, idempotencyKey: 'k' }),
  'record of an update': ({ chart }, hearing) =>
    chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'A mile' }, { ...by, ...hearing }),
  'record of an immunization': ({ chart }, hearing) =>
    chart.record(immunize({ id: 'new' }), { ...by, ...hearing }),
  transaction: (records, hearing) =>
    records.transaction((tx) => tx.immunizations.create(statement(), { ...by, ...hearing })),
};

/** The writes that only a rule that may block an end refuses. */
export const ends: Readonly<Record<string, Write>> = {
  'a member who leaves': ({ careTeams }, hearing) => careTeams.update('amy', team(), { ...by, ...hearing }),
  'a member who is suspended': ({ careTeams }, hearing) =>
    careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'suspended', { ...by, ...hearing }),
  'participants who are all removed': ({ careTeams }, hearing) =>
    careTeams.removeAllParticipants('amy', { ...by, ...hearing }),
  'an order that is completed': ({ chart }, hearing) =>
    chart.completeOrder('ServiceRequest/order/0', { ...by, ...hearing }),
  'a goal that is closed': ({ chart }, hearing) =>
    chart.record({ kind: 'closeGoal', goalId: 'walk' }, { ...by, ...hearing }),
};

/** The writes that no rule refuses. */
export const unrefusable: Readonly<Record<string, Write>> = {
  'PUT of entered-in-error': ({ immunizations }, hearing) =>
    immunizations.update('shot', enteredInError(), { ...by, ...hearing }),
  'enterInError of a goal': ({ chart }, hearing) => chart.enterInError('Goal/walk/0', { ...by, ...hearing }),
  'reopenOrder of a completed order': ({ chart }, hearing) =>
    chart.reopenOrder('ServiceRequest/done/0', { ...by, ...hearing }),
  'discard of a draft': ({ chart }, hearing) =>
    chart.discard('ServiceRequest/draft/0', { ...by, ...hearing }),
  move: ({ corrections }) =>
    corrections.moveToPatient({ resourceType: 'Goal', resourceId: 'walk', toPatientId: 'eve', ...why }),
  merge: ({ corrections }) => corrections.mergePatients({ patientId: 'amy', toPatientId: 'eve', ...why }),
};

/** The writes about which no rule is asked. */
export const unjudged: Readonly<Record<string, Write>> = {
  'stage of a goal': ({ chart }) => chart.stage(goal({ id: 'new' }), by),
  'stage of an update, which changes nothing that is read': ({ chart }) =>
    chart.stage({ kind: 'updateGoal', goalId: 'walk', progress: 'A mile' }, by),
  'stage of an immunization': ({ chart }) => chart.stage(immunize({ id: 'new' }), by),
  'discard of a goal that was never read': ({ chart }) => chart.discard('Goal/run/0', by),
  'put of a patient': ({ directory }) => directory.put('Patient', { id: 'new', lastName: 'Roe' }),
  'a new name, which teams follow': ({ directory }) =>
    directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' }),
  erasure: ({ corrections }) => corrections.erase({ resourceType: 'Goal', resourceId: 'walk', ...why }),
  'import of a patient': ({ importer }) =>
    importer.load([{ resourceType: 'Patient', id: 'new', name: [{ family: 'Roe' }] }]),
  reindex: ({ reindex }) => reindex(),
};
