import type { AnyClinicalRecords } from '@clinical-records/core';
import type { Log } from './log.ts';

/** Logs a warning if another program has written types of resources into the store that this server does not define. */
export const warnOfUndefinedTypes = async (
  records: Pick<AnyClinicalRecords, 'undefinedTypes'>,
  log: Pick<Log, 'sentence'>,
): Promise<void> => {
  const types = await records.undefinedTypes();
  if (types.length === 0) return;
  const sentence = `warning: the database has resources that this server does not serve: ${types.join(', ')}.`;
  log.sentence(`${sentence} Charts with them are not merged. See docs/your-types.md.`, 'warn');
};
