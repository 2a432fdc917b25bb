import type { RecordChange } from '../store/port.ts';

/** Splits changes into the fewest parts, in their order, that name no record twice: a commit must not. */
export const splitAtRepeats = (changes: readonly RecordChange[]): readonly (readonly RecordChange[])[] => {
  const parts: RecordChange[][] = [];
  let names = new Set<string>();
  for (const change of changes) {
    const name = JSON.stringify([change.type, change.id]);
    if (parts.length === 0 || names.has(name)) {
      parts.push([]);
      names = new Set();
    }
    parts.at(-1)?.push(change);
    names.add(name);
  }
  return parts;
};
