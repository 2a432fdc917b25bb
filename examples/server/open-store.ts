import type { ClinicalStore } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { Refusal } from './refusal.ts';

/** The store in a file. Throws a `Refusal` where the file cannot be one. */
export const openStore = (filename: string): ClinicalStore => {
  try {
    return openSqliteStore({ filename });
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new Refusal(`cannot open ${filename}: ${reason}`);
  }
};

export const closeStore = async (store: ClinicalStore): Promise<void> => {
  const closed = await store.close()();
  if (closed._tag === 'Left') throw new Refusal(`the file could not be closed: ${closed.left._tag}`, 1);
};
