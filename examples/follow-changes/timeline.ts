import type { FeedPosition, ResourceChange } from '@clinical-records/core';
import type { Database } from 'better-sqlite3';

/** The host's table: a line for each version of each resource, and the position of the last one. */
export type Timeline = {
  /** The position of the last change in the timeline; undefined before the first. */
  readonly position: () => FeedPosition | undefined;
  /**
   * Writes a line for each of the changes, which follow `since`, and the position of the last: all of it, or nothing. An
   * erased resource loses its lines. Throws if another process has continued from there in the meantime.
   */
  readonly append: (changes: readonly ResourceChange[], since: FeedPosition | undefined) => void;
};

const schema = `
  CREATE TABLE IF NOT EXISTS timeline (
    line INTEGER PRIMARY KEY, patient_id TEXT, at TEXT NOT NULL, by TEXT, resource TEXT NOT NULL, version INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS timeline_by_resource ON timeline (resource);
  CREATE TABLE IF NOT EXISTS followed (position TEXT);
  INSERT INTO followed SELECT NULL WHERE NOT EXISTS (SELECT * FROM followed);
`;

export const openTimeline = (database: Database): Timeline => {
  database.transaction(() => database.exec(schema)).immediate();
  const position = database.prepare<[], FeedPosition | null>('SELECT position FROM followed').pluck();
  const moveOn = database.prepare('UPDATE followed SET position = ? WHERE position IS ?');
  const add = database.prepare(
    'INSERT INTO timeline (patient_id, at, by, resource, version) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM timeline WHERE resource = ?');

  const append = database.transaction(
    (changes: readonly ResourceChange[], since: FeedPosition | undefined) => {
      for (const { patientId, at, by, resourceType, id, version, isErased } of changes) {
        const resource = `${resourceType}/${id}`;
        if (isErased) remove.run(resource);
        else add.run(patientId, at, by, resource, version);
      }
      // The position is written with the lines, so that after a crash both are there, or neither.
      if (moveOn.run(changes.at(-1)?.position ?? since, since ?? null).changes !== 1)
        throw new Error('Another process writes this timeline.');
    },
  );

  return { position: () => position.get() ?? undefined, append };
};
