import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore, FeedEntry } from '@clinical-records/core/store';

/** A write that is asked for. No other has its number, by which its versions are known, and it can be done again to the letter. */
export type Write = { readonly at: number; readonly what: keyof typeof writeFunctions; readonly of: string };

const system = 'https://clinic.example/roles';

/** More roles than there are writes at any one time: a team is never put as it already is. */
const careTeamRoles = Array.from({ length: 1000 }, (_, at) => ({
  system,
  code: `${at}`,
  display: `Role ${at}`,
}));

const statement = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'unstructured', code: 'Flu shot' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '1969-10-01',
  primarySource: false,
};

const by = { by: 'Practitioner/ada' } as const;

/**
 * The author of a change to a team is the number of the write, because simultaneous changes are dated a second apart.
 */
const team = 'Practitioner/team-';

/** How far the writes are apart on the clock, in milliseconds: further than teams are dated ahead. */
const minute = 60_000;

/** The number of the write that made a version. */
export const writeNumberOf = (version: Pick<FeedEntry, 'at' | 'by'>): number =>
  version.by?.startsWith(team) ? Number(version.by.slice(team.length)) : version.at / minute;

/** Each changes something, whatever was written before. Names, notes, and who is inactive span several records. */
const writeFunctions = {
  patient: async ({ directory }: ClinicalRecords, { of, at }: Write) =>
    directory.put('Patient', { id: of, lastName: `Name ${at}`, firstName: '' }),
  practitioner: async ({ directory }: ClinicalRecords, { of, at }: Write) =>
    directory.put('Practitioner', { id: of, lastName: `Name ${at}`, firstName: '' }),
  organization: async ({ directory }: ClinicalRecords, { of, at }: Write) =>
    directory.put('Organization', { id: of, name: `Name ${at}` }),
  encounter: async ({ directory }: ClinicalRecords, { of }: Write) =>
    directory.put('Encounter', { id: of, patientId: 'amy' }),
  immunization: async ({ immunizations }: ClinicalRecords, { of, at }: Write) => {
    const encounter = { reference: `Encounter/${of}` };
    return immunizations.asJson.create({ ...statement, encounter, note: [{ text: `Shot ${at}` }] });
  },
  team: async ({ careTeams }: ClinicalRecords, { of, at }: Write) => {
    const role = [{ coding: [careTeamRoles[at % careTeamRoles.length]] }];
    const lab = at % 2 === 0 ? [{ member: { reference: 'Organization/lab' } }] : [];
    const participant = [{ member: { reference: `Practitioner/${of}` }, role }, ...lab];
    return careTeams.asJson.update('amy', { id: 'amy', participant }, { by: `${team}${at}` });
  },
  goal: async ({ chart }: ClinicalRecords, { of, at }: Write) =>
    chart.record({ kind: 'goal', id: of, patientId: 'amy', description: `Goal ${at}` }, by),
  progress: async ({ chart }: ClinicalRecords, { of, at }: Write) =>
    chart.record({ kind: 'updateGoal', goalId: of, progress: `Progress ${at}` }, by),
  close: async ({ chart }: ClinicalRecords, { of }: Write) =>
    chart.record({ kind: 'closeGoal', goalId: of }, by),
};

/**
 * Records on a store, and how to write to them. The result of a write depends only on the write and the stored
 * records.
 */
export const createClinic = (store: ClinicalStore) => {
  const time = new AsyncLocalStorage<number>();
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles,
    clock: () => new Date((time.getStore() ?? 0) * minute),
    newId: () => `made-${time.getStore()}`,
  });
  return {
    records,
    write: (begun: Write): Promise<unknown> =>
      time.run(begun.at, () => writeFunctions[begun.what](records, begun)),
  };
};
