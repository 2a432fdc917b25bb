import type { TokenCriterion } from '../store/query.ts';
import { splitAt, unescaped } from './escape.ts';

/** Reads `code`, `system|code`, `system|` or `|code`; null for anything else. Source: FHIR R4, Search, 3.1.1.4.10. */
export const parseToken = (value: string): TokenCriterion | null => {
  // No store keeps such a text, and some would look for another.
  if (!value.isWellFormed()) return null;
  const parts = splitAt('|')(value).map(unescaped);
  const [first = '', second] = parts;
  if (parts.length > 2 || (first === '' && (second ?? '') === '')) return null;
  if (second === undefined) return { system: null, code: first };
  return { system: first, code: second === '' ? null : second };
};
