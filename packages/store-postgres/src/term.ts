import { hash } from 'node:crypto';
import type { IndexEntry } from '@clinical-records/core/store';
import type { Tables } from './schema.ts';

/** The content of an index entry of a type of records. For a date it says only that there is one. */
export type TermContent = Omit<Tables['terms'], 'term'>;

export const termContentOf = (type: string, entry: IndexEntry): TermContent => {
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
export const indexEntryOf = (
  { kind, parameter, system, code }: TermContent,
  { from, until }: { readonly from: number; readonly until: number },
): IndexEntry => {
  switch (kind) {
    case 'token':
      return { kind, parameter, system, code };
    case 'reference':
      return { kind, parameter, type: system, id: code };
    case 'date':
      return { kind, parameter, from, until };
  }
};

/**
 * The term of a content: half of its SHA-256, as a UUID. So a term is known without asking the database. The lengths
 * show where each text ends.
 */
export const termOf = ({ kind, type, parameter, system, code }: TermContent): string => {
  const digits = hash(
    'sha256',
    `${kind} ${type.length} ${parameter.length} ${system.length} ${type}${parameter}${system}${code}`,
  );
  const at = [0, 8, 12, 16, 20, 32];
  return at
    .slice(1)
    .map((end, part) => digits.slice(at[part], end))
    .join('-');
};
