import type { IndexEntry } from '@clinical-records/core';
import type { Tables } from './schema.ts';

/** What an index entry of a type of records says; of a date only that there is one. */
export type Term = Omit<Tables['terms'], 'term'>;

export const termOf = (type: string, entry: IndexEntry): Term => {
  const { kind, parameter } = entry;
  switch (entry.kind) {
    case 'token':
      return { type, kind, parameter, system: entry.system, code: entry.code };
    case 'reference':
      return { type, kind, parameter, system: entry.type, code: entry.id };
    case 'date':
      return { type, kind, parameter, system: '', code: '' };
  }
};
