import { startChild } from '../child/start-child.ts';
import type { HostTransactions } from '../in-process/host-transactions.ts';
import type { PostgresClinic } from '../postgres-clinic.ts';
import { compareRates, type Result } from '../results.ts';
import type { Settings } from '../settings.ts';
import { interleavedMedians, type Rate } from './interleaved.ts';

const work = 'PostgreSQL: COMMIT of 1,000 creates of a host';

/**
 * Measures the end of a transaction of the host, which places what it has written while the feed is locked. The floor has
 * as many creates, a tenth in each transaction: the cost of a create must not grow with their number.
 */
export const measureHostTransactions = async (
  postgres: PostgresClinic,
  { records, rounds, works }: Settings & { readonly records: number },
  report: (result: Result) => void,
): Promise<void> => {
  if (!works.test(work)) return;
  const host = await startChild<HostTransactions, Rate>(
    'in-process/host-transactions.ts',
    postgres.ours,
    postgres.server.folder,
  );
  const [large, small] = await interleavedMedians(
    [() => host.ask({ transactions: 1, creates: 1000 }), () => host.ask({ transactions: 10, creates: 100 })],
    rounds,
  );
  report({
    work,
    records,
    floor: '100 creates, ten times',
    target: 0.8,
    ...compareRates(large, small),
    anonymousMiB: null,
  });
  await host.stop();
};
