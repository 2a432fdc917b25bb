import type { IndexEntry } from '@clinical-records/core/store';
import type { Tables } from './schema.ts';

/** The content of an index entry of a type of records. For a date it says only that there is one. */
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

/** The index entry of a term; for a date, together with its interval. */
export const indexEntryOf = ({
  kind,
  parameter,
  system,
  code,
  from,
  until,
}: Term & { readonly from: number; readonly until: number }): IndexEntry => {
  switch (kind) {
    case 'token':
      return { kind, parameter, system, code };
    case 'reference':
      return { kind, parameter, type: system, id: code };
    case 'date':
      return { kind, parameter, from, until };
  }
};
