import type { IndexedRecord } from './port.ts';
import type { DateCriterion, IndexEntry, Interval, Query, SearchCondition, TokenCriterion } from './query.ts';

/** As much of a record as a query looks at. */
export type Findable = Pick<IndexedRecord, 'type' | 'id' | 'patientId' | 'index'>;

type Entry<K extends IndexEntry['kind']> = Extract<IndexEntry, { kind: K }>;

const tokenMatches =
  (wanted: TokenCriterion) =>
  (entry: Entry<'token'>): boolean =>
    (wanted.system === null || wanted.system === entry.system) &&
    (wanted.code === null || wanted.code === entry.code);

/**
 * Whether a time `lies` to the one searched for as the prefix says.
 *
 * Source: FHIR R4, Search, 3.1.1.4.7: both sides are intervals; `eq` means that the searched one contains the other.
 */
export const dateMatches =
  (wanted: DateCriterion) =>
  (lies: Interval): boolean => {
    const within = lies.from >= wanted.from && lies.until <= wanted.until;
    switch (wanted.prefix) {
      case 'eq':
        return within;
      case 'ne':
        return !within;
      case 'gt':
        return lies.until > wanted.until;
      case 'ge':
        return lies.until > wanted.until || within;
      case 'lt':
        return lies.from < wanted.from;
      case 'le':
        return lies.from < wanted.from || within;
      case 'sa':
        return lies.from >= wanted.until;
      case 'eb':
        return lies.until <= wanted.from;
      case 'ap':
        return lies.from < wanted.until && lies.until > wanted.from;
    }
  };

const entriesOf = <K extends IndexEntry['kind']>(record: Findable, kind: K, parameter: string) =>
  record.index.filter((entry): entry is Entry<K> => entry.kind === kind && entry.parameter === parameter);

const holds =
  (record: Findable) =>
  (condition: SearchCondition): boolean => {
    switch (condition.on) {
      case 'id':
        return condition.anyOf.includes(record.id);
      case 'patient':
        return record.patientId !== null && condition.anyOf.includes(record.patientId);
      case 'token':
        return entriesOf(record, 'token', condition.parameter).some((entry) =>
          condition.anyOf.some((wanted) => tokenMatches(wanted)(entry)),
        );
      case 'reference':
        return entriesOf(record, 'reference', condition.parameter).some((entry) =>
          condition.anyOf.some((wanted) => wanted.type === entry.type && wanted.id === entry.id),
        );
      case 'date':
        return entriesOf(record, 'date', condition.parameter).some((entry) =>
          condition.anyOf.some((wanted) => dateMatches(wanted)(entry)),
        );
    }
  };

/** Whether a record is among those a query asks for. This is what a search means, in every store. */
export const matches =
  (query: Pick<Query, 'type' | 'conditions'>) =>
  (record: Findable): boolean =>
    record.type === query.type && query.conditions.every(holds(record));
