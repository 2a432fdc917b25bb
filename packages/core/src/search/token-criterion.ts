import type { TokenCriterion } from '../store/query.ts';
import { removeEscapes, splitUnescaped } from './escape.ts';

/**
 * Parses `code`, `system|code`, `system|` or `|code`; returns null for anything else. Source: FHIR R4, Search,
 * 3.1.1.4.10.
 */
export const parseTokenCriterion = (value: string): TokenCriterion | null => {
  // No store keeps such a text, and some stores would search for another one.
  if (!value.isWellFormed()) return null;
  const parts = splitUnescaped('|')(value).map(removeEscapes);
  const [first = '', second] = parts;
  if (parts.length > 2 || (first === '' && (second ?? '') === '')) return null;
  if (second === undefined) return { system: null, code: first };
  return { system: first, code: second === '' ? null : second };
};
