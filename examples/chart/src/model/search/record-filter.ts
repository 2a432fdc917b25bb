import { hasWords } from './word-search.ts';

/** A filter of the records in a section: by a state, and by the words of a text; either may be empty. */
export type RecordFilter = { readonly state: string; readonly text: string };

/** The records in the state whose text contains each word, without regard to accents and case. */
export const filterRecords = <Item>(
  records: readonly Item[],
  { state, text }: RecordFilter,
  {
    stateOf,
    textOf,
  }: { readonly stateOf: (record: Item) => string; readonly textOf: (record: Item) => string },
): readonly Item[] =>
  records.filter((record) => (state === '' || stateOf(record) === state) && hasWords(textOf(record), text));

/** How many records each state has, such as `{ active: 3 }`. */
export const countByState = <Item>(
  records: readonly Item[],
  stateOf: (record: Item) => string,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Map.groupBy(records, stateOf)
      .entries()
      .map(([state, found]) => [state, found.length]),
  );
