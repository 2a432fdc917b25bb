import type { FeedPosition } from '@clinical-records/core';
import type { Delivery, DeliveryQueue } from '@clinical-records/http-adapter/webhooks';
import type { Database } from 'better-sqlite3';

// A delivery without due_at waits for an older one of its record.
const schema = `
  CREATE TABLE IF NOT EXISTS endpoints (url TEXT PRIMARY KEY, position TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS deliveries (
    number INTEGER PRIMARY KEY, url TEXT NOT NULL, webhook_id TEXT NOT NULL, record TEXT NOT NULL, body TEXT NOT NULL,
    attempts INTEGER NOT NULL, due_at INTEGER, UNIQUE (url, webhook_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_of_record ON deliveries (url, record, number);
  CREATE INDEX IF NOT EXISTS due_deliveries ON deliveries (url, due_at, number) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS dead_letters (
    url TEXT NOT NULL, webhook_id TEXT NOT NULL, record TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL,
    died_at INTEGER NOT NULL, status INTEGER, PRIMARY KEY (url, webhook_id)
  ) STRICT;
`;

const prepareStatements = (database: Database) => {
  const position = database
    .prepare<[string], FeedPosition | null>('SELECT position FROM endpoints WHERE url = ?')
    .pluck();
  const moveOn = database.prepare('UPDATE endpoints SET position = ? WHERE url = ? AND position IS ?');
  const insert = database.prepare(
    `INSERT INTO deliveries (url, webhook_id, record, body, attempts, due_at)
     SELECT @url, @webhookId, @record, @body, @attempts,
       CASE WHEN EXISTS (SELECT 1 FROM deliveries WHERE url = @url AND record = @record) THEN NULL ELSE @at END`,
  );
  const due = database.prepare<[string, number, number], Delivery>(
    `SELECT webhook_id AS webhookId, record, body, attempts FROM deliveries
     WHERE url = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?`,
  );
  const nextDueAt = database
    .prepare<[string, number], number | null>(
      'SELECT min(due_at) FROM deliveries WHERE url = ? AND due_at > ?',
    )
    .pluck();
  const remove = database.prepare('DELETE FROM deliveries WHERE url = ? AND webhook_id = ?');
  const startNext = database.prepare(
    `UPDATE deliveries SET due_at = @at WHERE due_at IS NULL AND number =
       (SELECT number FROM deliveries WHERE url = @url AND record = @record ORDER BY number LIMIT 1)`,
  );
  const postpone = database.prepare(
    'UPDATE deliveries SET attempts = ?, due_at = ? WHERE url = ? AND webhook_id = ?',
  );
  const bury = database.prepare(
    `INSERT INTO dead_letters (url, webhook_id, record, body, attempts, died_at, status)
     SELECT url, webhook_id, record, body, attempts + 1, ?, ? FROM deliveries WHERE url = ? AND webhook_id = ?
     ON CONFLICT DO NOTHING`,
  );
  return { position, moveOn, insert, due, nextDueAt, remove, startNext, postpone, bury };
};

/** The queue of an endpoint in a SQLite database, which queues of other endpoints may share. */
export const openDeliveryQueue = (database: Database, url: string): DeliveryQueue => {
  database.transaction(() => database.exec(schema)).immediate();
  database.prepare('INSERT INTO endpoints (url) VALUES (?) ON CONFLICT DO NOTHING').run(url);

  const { position, moveOn, insert, due, nextDueAt, remove, startNext, postpone, bury } =
    prepareStatements(database);

  const add = database.transaction(
    ({ deliveries, since, position, at }: Parameters<DeliveryQueue['add']>[0]) => {
      if (moveOn.run(position, url, since ?? null).changes !== 1)
        throw new Error('Another process fills this queue.');
      for (const delivery of deliveries) insert.run({ ...delivery, url, at });
    },
  );

  const save = database.transaction(([attempt, at]: Parameters<DeliveryQueue['save']>) => {
    const { webhookId, record, attempts } = attempt.delivery;
    if (attempt.kind === 'failed') {
      postpone.run(attempts + 1, attempt.dueAt, url, webhookId);
      return;
    }
    if (attempt.kind === 'dead') bury.run(at, attempt.status, url, webhookId);
    remove.run(url, webhookId);
    startNext.run({ url, record, at });
  });

  return {
    position: async () => position.get(url) ?? undefined,
    add: async (added) => add.immediate(added),
    due: async (at, limit) => due.all(url, at, limit),
    nextDueAt: async (at) => nextDueAt.get(url, at) ?? null,
    save: async (...saved) => save.immediate(saved),
  };
};
