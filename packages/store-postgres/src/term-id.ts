import { hash } from 'node:crypto';
import type { Term } from '@clinical-records/core/store';

/**
 * The id of a term: half of its SHA-256, as a UUID. So an id is known without asking the database. The lengths show where
 * each text ends.
 */
export const termId = ({ kind, type, parameter, system, code }: Term): string => {
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
