import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClinicalRecords } from '@clinical-records/core';
import {
  type ClinicalStore,
  type IndexEntry,
  type RecordChange,
  type Term,
  termOf,
} from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { answerParent } from '../child/answer-parent.ts';
import { clinicResources, extensionBase, type Range } from '../data/clinic.ts';
import { openTuned } from '../data/floor-database.ts';
import type { Rate } from '../measure/interleaved.ts';

const [filename = ''] = process.argv.slice(2);
const imported = `${filename}.imported`;

/** A change of an import, with the values of its texts. */
type Row = { readonly change: RecordChange; readonly state: unknown; readonly resource: unknown };

let commits: (readonly RecordChange[])[] = [];
const store = openSqliteStore({ filename: imported });
const recording: ClinicalStore = {
  ...store,
  commit: (commit) => {
    commits.push(commit.changes);
    return store.commit(commit);
  },
};
const { importer } = createClinicalRecords({ store: recording, extensionBase, careTeamRoles: [] });

// The library creates the tables.
await openSqliteStore({ filename }).close();
const database = openTuned(filename);
const insertRecord = database.prepare(
  'insert into records (position, readable, version, type, id, patient_id, at, by, digest, state, resource) values (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const findRecord = database
  .prepare<[string, string], number>('select position from records where id = ? and type = ?')
  .pluck();
const supersede = database.prepare(
  `insert into superseded (position, record, version, patient_id, at, by, digest, state, resource)
    select coalesce(committed, position), position, version, patient_id, at, by, digest, state, resource from records where position = ?`,
);
const updateRecord = database.prepare(
  'update records set committed = ?, readable = ?, version = version + 1, patient_id = ?, at = ?, by = ?, digest = ?, state = ?, resource = ? where position = ?',
);
const deleteEntries = database.prepare('delete from entries where record = ?');
const insertTerm = database.prepare(
  'insert into terms (kind, type, parameter, system, code) values (?, ?, ?, ?, ?)',
);
const insertEntry = database.prepare(
  'insert or ignore into entries (term, "from", until, record) values (?, ?, ?, ?)',
);

const terms = new Map<string, number>();
const numberOf = ({ kind, type, parameter, system, code }: Term): number => {
  const key = `${type} ${parameter} ${system} ${code}`;
  const known = terms.get(key) ?? Number(insertTerm.run(kind, type, parameter, system, code).lastInsertRowid);
  terms.set(key, known);
  return known;
};

let end = { position: 0, digest: '' };

const writeEntry = (record: number, type: string, entry: IndexEntry): void => {
  const [from, until] = entry.kind === 'date' ? [entry.from, entry.until] : [0, 0];
  insertEntry.run(numberOf(termOf(type, entry)), from, until, record);
};

const writeRow = ({ change, ...values }: Row): void => {
  const { type, id, patientId, at, by, index, expects } = change;
  const state = JSON.stringify(values.state);
  const resource = values.resource === null ? null : JSON.stringify(values.resource);
  const version = expects._tag === 'Version' ? expects.version + 1 : 1;
  const lengths = [type, id, patientId, by, state, resource].map((text) => text?.length ?? '-').join(' ');
  const content = hash(
    'sha256',
    `${version} ${at} ${lengths}\n${type}${id}${patientId ?? ''}${by ?? ''}${state}${resource ?? ''}`,
  );
  const position = end.position + 1;
  const digest = hash('sha256', `${end.digest} ${position} ${content}`);
  const readable = resource === null ? 0 : 1;
  let record = position;
  if (version === 1)
    insertRecord.run(position, readable, type, id, patientId, at, by, digest, state, resource);
  else {
    record = findRecord.get(id, type) as number;
    supersede.run(record);
    updateRecord.run(position, readable, patientId, at, by, digest, state, resource, record);
    deleteEntries.run(record);
  }
  if (resource !== null) for (const entry of index) writeEntry(record, type, entry);
  end = { position, digest };
};

const writeAll = database.transaction((rows: readonly Row[]) => {
  for (const row of rows) writeRow(row);
});

const toRow = (change: RecordChange): Row => ({
  change,
  state: JSON.parse(change.state),
  resource: change.resource === null ? null : JSON.parse(change.resource),
});

/**
 * Imports resources, to see which rows that writes. Then writes the same rows to another file by hand, parses each resource and makes
 * each text, and returns the rate of that.
 */
answerParent(async (range: Range): Promise<Rate> => {
  const texts = Array.from(clinicResources(range), (resource) => JSON.stringify(resource));
  const { issues } = await importer.load(texts);
  if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
  const batches = commits.map((changes) => changes.map(toRow));
  commits = [];
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  for (const text of texts) JSON.parse(text);
  for (const rows of batches) writeAll.immediate(rows);
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    perSecond: (texts.length * 1000) / (performance.now() - began),
    microsecondsEach: (user + system) / texts.length,
  };
});

process.on('exit', () => {
  for (const part of ['', '-wal', '-shm']) rmSync(`${imported}${part}`, { force: true });
});
