import { type ClinicalStore, noVersion, type RecordChange } from '@clinical-records/core/store';
import { inTransaction, openPostgresStore } from '@clinical-records/store-postgres';
import { Pool } from 'pg';
import { answerParent } from '../child/answer-parent.ts';
import type { Rate } from '../measure/interleaved.ts';
import { readPostgresProcessorTime } from '../servers/postgres-processor-time.ts';

/** A number of transactions of the host, with as many creates each. */
export type HostTransactions = { readonly transactions: number; readonly creates: number };

const [url = '', folder = ''] = process.argv.slice(2);

const pool = new Pool({ connectionString: url, pipeline: true });
const store = openPostgresStore({ pool });
const extension = { url: 'urn:bench', valueString: 'x'.repeat(1000) };
let created = 0;

const createGoal = (): RecordChange => {
  created += 1;
  const id = `host-${process.pid}-${created}`;
  const resource = JSON.stringify({ resourceType: 'Goal', id, extension: [extension] });
  return {
    ...{ type: 'Goal', id, patientId: `host-${created % 100}`, at: created, by: null, expects: noVersion },
    ...{ state: resource, resource },
    index: [
      { kind: 'token', parameter: 'lifecycle-status', system: '', code: 'active' },
      { kind: 'date', parameter: 'start-date', from: created, until: created + 1 },
    ],
  };
};

const commitAll = async (joined: ClinicalStore, changes: readonly RecordChange[]): Promise<void> => {
  const outcome = await joined.commit({ changes, versionChecks: [] });
  if (outcome._tag === 'Left') throw new Error(`A create failed: ${JSON.stringify(outcome.left)}`);
};

/** Runs one transaction, and returns the time of its COMMIT and that of the processors, in microseconds. */
const measureCommit = async (creates: number) => {
  const client = await pool.connect();
  try {
    const changes = Array.from({ length: creates }, createGoal);
    let [began, usedBefore] = [0, 0];
    await inTransaction(client, async (tx) => {
      await commitAll(tx.join(store), changes);
      [began, usedBefore] = [performance.now(), readPostgresProcessorTime(folder)];
    });
    return {
      clock: (performance.now() - began) * 1000,
      processor: readPostgresProcessorTime(folder) - usedBefore,
    };
  } finally {
    client.release();
  }
};

/** Returns the rate at which the ends of transactions place what they have created. */
answerParent(async ({ transactions, creates }: HostTransactions): Promise<Rate> => {
  let [clock, processor] = [0, 0];
  for (let nth = 0; nth < transactions; nth++) {
    const commit = await measureCommit(creates);
    clock += commit.clock;
    processor += commit.processor;
  }
  const all = transactions * creates;
  return { perSecond: (all * 1_000_000) / clock, microsecondsEach: processor / all };
});
