import { dateMatches } from './date-matches.ts';
import type { IndexEntry } from './index-entry.ts';
import type { IndexedRecord } from './port.ts';
import type { SearchCondition, SearchQuery, TokenCriterion } from './query.ts';

/** The parts of a record that a query looks at. */
export type SearchableRecord = Pick<IndexedRecord, 'type' | 'id' | 'patientId' | 'at' | 'index'>;

type Entry<K extends IndexEntry['kind']> = Extract<IndexEntry, { kind: K }>;

const tokenMatches =
  (criterion: TokenCriterion) =>
  (entry: Entry<'token'>): boolean =>
    (criterion.system === null || criterion.system === entry.system) &&
    (criterion.code === null || criterion.code === entry.code);

const entriesOf = <K extends IndexEntry['kind']>(record: SearchableRecord, kind: K, parameter: string) =>
  record.index.filter((entry): entry is Entry<K> => entry.kind === kind && entry.parameter === parameter);

const meetsCondition =
  (record: SearchableRecord) =>
  (condition: SearchCondition): boolean => {
    switch (condition.on) {
      case 'id':
        return condition.anyOf.includes(record.id);
      case 'patient':
        return record.patientId !== null && condition.anyOf.includes(record.patientId);
      case 'at': {
        const { at } = record;
        return condition.anyOf.some((criterion) => dateMatches(criterion)({ from: at, until: at + 1 }));
      }
      case 'token':
        return entriesOf(record, 'token', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => tokenMatches(criterion)(entry)),
        );
      case 'reference':
        return entriesOf(record, 'reference', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => criterion.type === entry.type && criterion.id === entry.id),
        );
      case 'date':
        return entriesOf(record, 'date', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => dateMatches(criterion)(entry)),
        );
    }
  };

/** Whether a query finds a record. This function defines what a search means, in every store. */
export const matches =
  (query: Pick<SearchQuery, 'type' | 'conditions'>) =>
  (record: SearchableRecord): boolean =>
    record.type === query.type && query.conditions.every(meetsCondition(record));
