import { parseArgs } from 'node:util';

/** The size and the duration of the measurements. */
export type Settings = {
  /** The sizes of the clinics, in records. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** How long each compared implementation runs in a round. */
  readonly seconds: number;
  /** How long each server gets requests at most before it is measured. */
  readonly warmUpSeconds: number;
  /** How many records are imported in a round. */
  readonly imported: number;
  /** Which works are measured, by their names. */
  readonly works: RegExp;
};

/**
 * Parses the command line. The full run loads every server for a minute at each workload. `--quick` gives a rough
 * picture in less than two minutes.
 */
export const parseSettings = (args: readonly string[]): Settings => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      records: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      work: { type: 'string', default: '' },
    },
  });
  const { quick } = values;
  return {
    sizes: (values.records ?? (quick ? '10000' : '10000,1000000')).split(',').map(Number),
    rounds: Number(values.rounds ?? (quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (quick ? 0.3 : 12)),
    warmUpSeconds: quick ? 3 : 12,
    imported: quick ? 1200 : 12_000,
    works: new RegExp(values.work),
  };
};
