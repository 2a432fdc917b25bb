import { hash } from 'node:crypto';
import { computeDigest, orThrow } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../src/index.ts';

/** Changes of a file by a person who can write to it, behind the back of the library. */
export type Tampering = {
  readonly name: string;
  readonly sql: string;
  /** Digests that are then computed as the library would: of the version that was changed, or of all versions from there on. */
  readonly digests?: 'one' | 'all';
  /** That only a kept head shows it. */
  readonly needsHead?: true;
};

const firstPosition = (type: string) => `(SELECT min(position) FROM records WHERE type = '${type}')`;
const latestPosition = '(SELECT max(coalesce(committed, position)) FROM records)';
const supersededPosition = '(SELECT max(position) FROM superseded WHERE resource IS NOT NULL)';

/** No search finds a note, so no index entry shows the change. */
const asOtherNote = (column: string) => `${column} = replace(${column}, 'left arm', 'right arm')`;

const deletionOf = (record: string) => `
  DELETE FROM entries WHERE record = ${record};
  DELETE FROM superseded WHERE record = ${record};
  DELETE FROM records WHERE position = ${record};`;

/** Of each it is said what was done to which part of a file, in which there are immunizations, teams, and a past. */
export const tamperings: readonly Tampering[] = [
  ...(
    [
      ['the author', "by = 'Practitioner/nobody'"],
      ['the author, removed', 'by = NULL'],
      ['when it was written', 'at = at + 60000'],
      ['its patient', "patient_id = 'other'"],
      ['its version', 'version = version + 7'],
      ['its state', "state = state || ' '"],
      ['its resource', "resource = resource || ' '"],
      // One bit of the row says whether it is the one or the other.
      ['its patient, as bytes', 'patient_id = CAST(patient_id AS BLOB)'],
      ['its state, as bytes', 'state = CAST(state AS BLOB)'],
      ['its resource, as bytes', 'resource = CAST(resource AS BLOB)'],
      ['its digest', "digest = replace(digest, substr(digest, 1, 1), 'x')"],
    ] as const
  ).flatMap(([name, set]) => [
    {
      name: `a current version: ${name}`,
      sql: `UPDATE records SET ${set} WHERE position = ${firstPosition('Immunization')}`,
    },
    {
      name: `a superseded version: ${name}`,
      sql: `UPDATE superseded SET ${set} WHERE position = ${supersededPosition}`,
    },
  ]),
  {
    name: 'a record: its id',
    sql: `UPDATE records SET id = 'other' WHERE position = ${firstPosition('Immunization')}`,
  },
  {
    name: 'a record: its type',
    sql: `UPDATE records SET type = 'Goal' WHERE position = ${firstPosition('Immunization')}`,
  },
  {
    name: 'state and resource, consistently',
    sql: `UPDATE records SET ${asOtherNote('state')}, ${asOtherNote('resource')} WHERE type = 'Immunization'`,
  },
  {
    name: 'state and resource, consistently, with a digest that fits',
    sql: `UPDATE records SET ${asOtherNote('state')}, ${asOtherNote('resource')} WHERE position = ${firstPosition('Immunization')}`,
    digests: 'one',
  },
  {
    name: 'state and resource, consistently, and every digest from there on',
    sql: `UPDATE records SET ${asOtherNote('state')}, ${asOtherNote('resource')} WHERE position = ${firstPosition('Immunization')}`,
    digests: 'all',
    needsHead: true,
  },
  {
    name: 'a superseded version, deleted',
    sql: `DELETE FROM superseded WHERE position = ${supersededPosition}`,
  },
  {
    name: 'a whole history, deleted',
    sql: `DELETE FROM superseded WHERE record = (SELECT record FROM superseded WHERE position = ${supersededPosition})`,
  },
  {
    name: 'a whole history, deleted, and the record made its first version',
    sql: `
      CREATE TEMP TABLE target AS SELECT record FROM superseded WHERE position = ${supersededPosition};
      DELETE FROM superseded WHERE record IN (SELECT record FROM target);
      UPDATE records SET version = 1, committed = NULL WHERE position IN (SELECT record FROM target);
      DROP TABLE target;`,
  },
  {
    name: 'an immunization, deleted with its index entries',
    sql: `CREATE TEMP TABLE target AS SELECT ${firstPosition('Immunization')} AS record; ${deletionOf('(SELECT record FROM target)')} DROP TABLE target;`,
  },
  {
    name: 'a patient, deleted',
    sql: `CREATE TEMP TABLE target AS SELECT ${firstPosition('Patient')} AS record; ${deletionOf('(SELECT record FROM target)')} DROP TABLE target;`,
  },
  {
    name: 'the oldest of all versions, deleted',
    sql: `CREATE TEMP TABLE target AS SELECT min(position) AS record FROM records; ${deletionOf('(SELECT record FROM target)')} DROP TABLE target;`,
  },
  {
    name: 'two versions in the feed, swapped',
    sql: `
      CREATE TEMP TABLE two AS SELECT position FROM superseded ORDER BY position DESC LIMIT 2;
      UPDATE superseded SET position = -position WHERE position IN (SELECT position FROM two);
      UPDATE superseded SET position = (SELECT sum(position) FROM two) + position WHERE position < 0;
      DROP TABLE two;`,
  },
  {
    name: 'two records, their contents swapped',
    sql: `
      CREATE TEMP TABLE two AS SELECT * FROM records WHERE type = 'Practitioner' ORDER BY position LIMIT 2;
      UPDATE records SET (state, at, by, digest) =
          (SELECT state, at, by, digest FROM two WHERE two.position <> records.position)
        WHERE position IN (SELECT position FROM two);
      DROP TABLE two;`,
  },
  {
    name: 'a record of several versions, moved in the order of creation',
    sql: `
      CREATE TEMP TABLE target AS SELECT max(record) AS record FROM superseded WHERE resource IS NOT NULL;
      UPDATE superseded SET record = 1000000 + record WHERE record IN (SELECT record FROM target);
      UPDATE entries SET record = 1000000 + record WHERE record IN (SELECT record FROM target);
      UPDATE records SET position = 1000000 + position WHERE position IN (SELECT record FROM target);
      DROP TABLE target;`,
  },
  {
    name: 'a version, inserted at the end with a digest of its own',
    sql: `
      INSERT INTO records (position, committed, readable, version, type, id, patient_id, at, by, state, resource, digest)
      SELECT ${latestPosition} + 1, NULL, 0, 1, type, 'new', NULL, at, by, replace(state, '"id":"' || id, '"id":"new'), NULL, digest
      FROM records WHERE position = ${firstPosition('Practitioner')}`,
  },
  {
    name: 'a version, inserted between others',
    sql: `
      INSERT INTO superseded (position, record, version, patient_id, at, by, state, resource, digest)
      SELECT (SELECT max(position) FROM superseded) + 1, record, 1000, patient_id, at, by, state, resource, digest
      FROM superseded WHERE position = ${supersededPosition}`,
  },
  {
    name: 'an index entry, deleted',
    sql: `DELETE FROM entries WHERE record = (SELECT max(record) FROM entries)`,
  },
  {
    name: 'a total',
    sql: `INSERT INTO counts (type, readable, counted) VALUES ('Goal', 1, 0)
      ON CONFLICT (type) DO UPDATE SET readable = counts.readable + 1`,
  },
  {
    name: 'the newest version, cut off',
    sql: `
      CREATE TEMP TABLE target AS SELECT position AS record FROM records WHERE position = ${latestPosition};
      ${deletionOf('(SELECT record FROM target)')}
      DROP TABLE target;`,
    needsHead: true,
  },
];

const sha256 = (text: string): string => hash('sha256', text);

/** Gives versions, from the first whose digest is not right, the digest that they would have been written with. */
const recomputeDigests = async (database: Database.Database, which: 'one' | 'all'): Promise<void> => {
  const store = openSqliteStore({ database });
  const feed = await orThrow(store.changesSince({ limit: 100_000 }));
  const set = ['records', 'superseded'].map((table) => {
    const position = table === 'records' ? 'coalesce(committed, position)' : 'position';
    return database.prepare(`UPDATE ${table} SET digest = ? WHERE ${position} = ?`);
  });
  let previous = '';
  for (const entry of feed) {
    const digest = computeDigest(sha256, previous, entry);
    if (digest !== entry.digest) for (const statement of set) statement.run(digest, Number(entry.position));
    previous = digest;
    if (digest !== entry.digest && which === 'one') return;
  }
};

/** Applies the change to a file without regard to constraints, and returns whether it changed anything. */
export const tamper = async (filename: string, { sql, digests }: Tampering): Promise<boolean> => {
  const database = new Database(filename);
  try {
    database.pragma('foreign_keys = OFF');
    database.pragma('ignore_check_constraints = ON');
    const changes = database.prepare('SELECT total_changes()').pluck();
    const before = changes.get();
    database.transaction(() => database.exec(sql))();
    if (digests !== undefined) await recomputeDigests(database, digests);
    return changes.get() !== before;
  } finally {
    database.close();
  }
};
