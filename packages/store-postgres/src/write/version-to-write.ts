import { type IndexEntry, type RecordChange, type Term, termOf } from '@clinical-records/core/store';
import { termId } from '../term-id.ts';
import { encodePatient, encodeText } from '../text.ts';

/** Index entries as terms. */
export type IndexToWrite = {
  readonly terms: readonly string[];
  readonly dateTerms: readonly string[];
  readonly dateFrom: readonly number[];
  readonly dateUntil: readonly number[];
  /** The meanings of the terms. */
  readonly contents: ReadonlyMap<string, Term>;
};

/** A change in the form in which it is written: its texts encoded, its index entries as terms. */
export type VersionToWrite = IndexToWrite & {
  readonly type: string;
  readonly id: string;
  readonly patientId: string;
  readonly at: number;
  readonly by: string | null;
  readonly state: string;
  readonly resource: string | null;
  /** The new states of the versions before, oldest first, if the change erases them. */
  readonly priorStates: readonly string[] | null;
  /** The change as it was given, of which digests are computed. */
  readonly content: Omit<RecordChange, 'index' | 'expects'>;
};

const encodeOptional = (text: string | null): string | null => (text === null ? null : encodeText(text));

/** Prepares the index entries of a record of a type. A repeated entry is written once. */
export const toIndexToWrite = (type: string, index: readonly IndexEntry[]): IndexToWrite => {
  const contents = new Map<string, Term>();
  const terms = new Set<string>();
  const dates = new Map<string, { readonly term: string; readonly from: number; readonly until: number }>();
  for (const entry of index) {
    const meaning = termOf(type, entry);
    const term = termId(meaning);
    contents.set(term, meaning);
    if (entry.kind === 'date')
      dates.set(`${term} ${entry.from} ${entry.until}`, { term, from: entry.from, until: entry.until });
    else terms.add(term);
  }
  const dateList = [...dates.values()];
  return {
    terms: [...terms],
    dateTerms: dateList.map(({ term }) => term),
    dateFrom: dateList.map(({ from }) => from),
    dateUntil: dateList.map(({ until }) => until),
    contents,
  };
};

/** Prepares a change, so that what becomes of its parts afterwards does not matter. */
export const toVersionToWrite = ({ index, expects: _expects, ...content }: RecordChange): VersionToWrite => ({
  type: encodeText(content.type),
  id: encodeText(content.id),
  patientId: encodePatient(content.patientId),
  at: content.at,
  by: encodeOptional(content.by),
  state: encodeText(content.state),
  resource: encodeOptional(content.resource),
  priorStates: content.priorStates?.map(encodeText) ?? null,
  ...toIndexToWrite(content.type, content.resource === null ? [] : index),
  content,
});
