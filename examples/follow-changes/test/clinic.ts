import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClinicalRecords, createClinicalRecords, type ResourceChange } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { openTimeline, type Timeline } from '../timeline.ts';

export type Clinic = {
  readonly files: { readonly records: string; readonly timeline: string };
  readonly timeline: Timeline;
  /** Commits so many versions of goals. */
  readonly addGoals: (count: number) => Promise<void>;
  readonly records: ClinicalRecords;
  /** The changes of the clinic. */
  readonly changes: () => Promise<readonly ResourceChange[]>;
  /** The changes of the clinic, and those in the timeline, as lines such as `CareTeam/7 1`. */
  readonly feedLines: () => Promise<readonly string[]>;
  readonly timelineLines: () => readonly string[];
  /** Another timeline of the clinic, in memory. */
  readonly newTimeline: () => { readonly timeline: Timeline; readonly lines: () => readonly string[] };
  readonly close: () => Promise<void>;
};

/** A clinic of one patient, in a folder of its own. */
export const openClinic = async (): Promise<Clinic> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const files = { records: join(folder, 'clinic.db'), timeline: join(folder, 'timeline.db') };
  const store = openSqliteStore({ filename: files.records });
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir',
    careTeamRoles: [],
  });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  const goal = { kind: 'goal', patientId: '7', description: 'Walk' } as const;
  const database = new Database(files.timeline);
  const openLines = (timelines: Database.Database) => {
    const timeline = openTimeline(timelines);
    const lines = timelines.prepare<[], string>(
      "SELECT resource || ' ' || version FROM timeline ORDER BY line",
    );
    return { timeline, lines: () => lines.pluck().all() };
  };
  const { timeline, lines } = openLines(database);
  const changes = async () => {
    const all: ResourceChange[] = [];
    for await (const change of records.changes()) all.push(change);
    return all;
  };
  return {
    files,
    records,
    timeline,
    addGoals: async (count) => {
      const added = Array.from({ length: count }, async () =>
        records.chart.record(goal, { by: 'Practitioner/12' }),
      );
      await Promise.all(added);
    },
    changes,
    feedLines: async () =>
      (await changes()).map(({ resourceType, id, version }) => `${resourceType}/${id} ${version}`),
    timelineLines: lines,
    newTimeline: () => openLines(new Database(':memory:')),
    close: async () => {
      await store.close();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
};
