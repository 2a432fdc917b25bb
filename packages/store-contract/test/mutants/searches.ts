import type { ClinicalStore, IndexEntry, SearchCondition, SearchQuery } from '@clinical-records/core/store';
import { dateMatches, matches } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import { type Mutant, matchesQuery, mutant, replaceSearch, rewriteChanges } from './mutant.ts';

/** A search for something slightly different. */
const changeQuery =
  (different: (query: SearchQuery) => SearchQuery) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({ search: (query) => store.search(different(query)) });

const changeConditions = (different: (condition: SearchCondition) => SearchCondition) =>
  changeQuery((query) => ({ ...query, conditions: query.conditions.map(different) }));

const changePrefix = (from: string, to: 'gt' | 'lt' | 'ap' | 'eq') =>
  changeConditions((condition) =>
    condition.on === 'date'
      ? {
          ...condition,
          anyOf: condition.anyOf.map((one) => (one.prefix === from ? { ...one, prefix: to } : one)),
        }
      : condition,
  );

const criteriaOf = (condition: SearchCondition): readonly unknown[] =>
  'anyOf' in condition ? condition.anyOf : [];

/** A search in which one condition is judged by itself, and otherwise than it should be. */
const judgeConditions =
  (
    judge: (
      condition: SearchCondition,
      index: readonly IndexEntry[],
      patientId: string | null,
    ) => boolean | null,
  ) =>
  (store: ClinicalStore): Partial<ClinicalStore> =>
    replaceSearch(
      store,
      (query) => (record) =>
        matchesQuery({ ...query, conditions: [] })(record) &&
        query.conditions.every(
          (condition) =>
            judge(condition, record.index, record.patientId) ??
            matches({ ...query, conditions: [condition] })(record),
        ),
    );

/** A search in which words are found otherwise than by their beginnings. */
const judgeWords = (isFound: (word: string, beginning: string) => boolean) =>
  judgeConditions((condition, index) =>
    condition.on === 'string'
      ? index.some(
          (entry) =>
            entry.kind === 'string' &&
            entry.parameter === condition.parameter &&
            condition.anyOf.some((beginning) => isFound(entry.word, beginning)),
        )
      : null,
  );

const wrongPrefixes: readonly Mutant[] = (
  [
    ['eq', 'ap'],
    ['ap', 'eq'],
    ['ge', 'gt'],
    ['le', 'lt'],
    ['sa', 'gt'],
    ['eb', 'lt'],
    ['ne', 'gt'],
  ] as const
).map(([prefix, other]) =>
  mutant(
    `the date prefix ${prefix} mistaken for ${other}`,
    `the date prefix ${prefix} finds what dateMatches finds, for every relation of two intervals`,
    changePrefix(prefix, other),
  ),
);

export const searchMutants = [
  mutant(
    'a search that does not look at the time of versions',
    'a search by the time of the current version finds what dateMatches finds with the prefix eq',
    changeQuery((query) => ({ ...query, conditions: query.conditions.filter(({ on }) => on !== 'at') })),
  ),
  ...wrongPrefixes,
  mutant(
    'a date that is within a searched one by two entries together',
    'two entries of one record can meet two date conditions, but a criterion needs one entry that meets it',
    judgeConditions((condition, index) => {
      const dates = index.filter((entry) => entry.kind === 'date');
      if (condition.on !== 'date' || dates.length === 0) return null;
      const from = Math.max(...dates.map((one) => one.from));
      const until = Math.min(...dates.map((one) => one.until));
      return condition.anyOf.some((wanted) => dateMatches(wanted)({ from, until }));
    }),
  ),
  mutant(
    'times kept with the precision of 32 bits',
    'the date prefix eq finds what dateMatches finds, for every relation of two intervals',
    rewriteChanges((change) => ({
      ...change,
      index: change.index.map((entry) =>
        entry.kind === 'date'
          ? { ...entry, from: Math.fround(entry.from), until: Math.fround(entry.until) }
          : entry,
      ),
    })),
  ),
  mutant(
    'several dates mistaken for one that begins with the first and ends with the last',
    'the date prefix eq finds what any of several times finds, for every relation of the times',
    changeConditions((condition) => {
      if (condition.on !== 'date') return condition;
      const from = Math.min(...condition.anyOf.map((one) => one.from));
      const until = Math.max(...condition.anyOf.map((one) => one.until));
      return { ...condition, anyOf: condition.anyOf.map((one) => ({ ...one, from, until })) };
    }),
  ),
  mutant(
    "a system of '' mistaken for any",
    'a token condition of a code without a system finds the records that have it',
    changeConditions((condition) =>
      condition.on === 'token'
        ? { ...condition, anyOf: condition.anyOf.map((one) => ({ ...one, system: one.system || null })) }
        : condition,
    ),
  ),
  mutant(
    "any system mistaken for ''",
    'a token condition of a code of any system finds the records that have it',
    changeConditions((condition) =>
      condition.on === 'token'
        ? { ...condition, anyOf: condition.anyOf.map((one) => ({ ...one, system: one.system ?? '' })) }
        : condition,
    ),
  ),
  mutant(
    'a system and a code that are found in two entries',
    'a token criterion needs one entry with both its system and its code',
    judgeConditions((condition, index) => {
      if (condition.on !== 'token') return null;
      const tokens = index.filter(
        (entry) => entry.kind === 'token' && entry.parameter === condition.parameter,
      ) as readonly Extract<IndexEntry, { kind: 'token' }>[];
      return condition.anyOf.some(
        ({ system, code }) =>
          tokens.some((one) => system === null || one.system === system) &&
          tokens.some((one) => code === null || one.code === code),
      );
    }),
  ),
  mutant(
    'the parameter of an entry that is ignored',
    'a token condition of any token finds the records that have it',
    judgeConditions((condition, index) =>
      condition.on === 'token' && condition.anyOf.some(({ system, code }) => system === null && code === null)
        ? index.some((entry) => entry.kind === 'token')
        : null,
    ),
  ),
  mutant(
    'the type of a reference that is ignored',
    'a reference condition finds the records that refer to its id and type by its parameter',
    judgeConditions((condition, index) =>
      condition.on === 'reference'
        ? index.some(
            (entry) => entry.kind === 'reference' && condition.anyOf.some(({ id }) => id === entry.id),
          )
        : null,
    ),
  ),
  mutant(
    'words that are found by any of their parts',
    'a string condition finds the records that have a word with its beginning under its parameter',
    judgeWords((word, beginning) => word.includes(beginning)),
  ),
  mutant(
    'words that are found only as a whole',
    'a string condition finds the records that have a word with its beginning under its parameter',
    judgeWords((word, beginning) => word === beginning),
  ),
  mutant(
    'words that are compared in lower case',
    'words are compared by every character of their beginnings',
    judgeWords((word, beginning) => word.toLowerCase().startsWith(beginning.toLowerCase())),
  ),
  mutant(
    'at most a thousand words with a beginning',
    'a string condition finds all records that it holds for, however many words begin so',
    (store) => {
      const words = new Set<string>();
      return replaceSearch(store, (query) => (record) => {
        for (const entry of record.index) {
          if (entry.kind === 'string' && words.size < 1000) words.add(entry.word);
        }
        const index = record.index.filter((entry) => entry.kind !== 'string' || words.has(entry.word));
        return matchesQuery(query)({ ...record, index });
      });
    },
  ),
  mutant(
    'a patient condition that finds records without a chart',
    'a patient condition finds the records in charts, and none without a chart',
    judgeConditions((condition, _index, patientId) =>
      condition.on === 'patient' && patientId === null ? true : null,
    ),
  ),
  mutant(
    'the type of a query that is ignored',
    'only records of one type are found, whatever entries other records have',
    (store) =>
      replaceSearch(store, (query) => (record) => matchesQuery({ ...query, type: record.type })(record)),
  ),
  mutant(
    'a condition without criteria that holds for all',
    'a condition without criteria holds for no record',
    changeQuery((query) => ({
      ...query,
      conditions: query.conditions.filter((condition) => criteriaOf(condition).length > 0),
    })),
  ),
  mutant(
    'only the first criterion of a condition',
    'a token condition finds a record by any of its criteria, and once',
    changeConditions(
      (condition) => ({ ...condition, anyOf: criteriaOf(condition).slice(0, 1) }) as SearchCondition,
    ),
  ),
  mutant(
    'only the last of the conditions on one parameter',
    'several conditions of one kind, even on one parameter, must all hold',
    changeQuery((query) => ({
      ...query,
      conditions: [
        ...new Map(
          query.conditions.map((one) => [`${one.on} ${'parameter' in one ? one.parameter : ''}`, one]),
        ).values(),
      ],
    })),
  ),
  mutant(
    'conditions of which one is enough',
    'a store returns the same as a plain list of versions, in any sequence of commits and reads',
    (store) =>
      replaceSearch(store, (query) => (record) => {
        const [first = [], ...others] = query.conditions.map((condition) => [condition]);
        return [first, ...others].some((conditions) => matchesQuery({ ...query, conditions })(record));
      }),
  ),
  mutant(
    'a third condition that is forgotten',
    'a found record meets all conditions, each by an entry of its own or by the same entry',
    changeQuery((query) => ({ ...query, conditions: query.conditions.slice(0, 2) })),
  ),
  mutant('a limit of 999 criteria', 'a condition can have a thousand criteria', (store) => ({
    search: async (query) =>
      query.conditions.some((condition) => criteriaOf(condition).length > 999)
        ? left({ _tag: 'Unavailable', message: 'too many SQL variables', cause: null })
        : store.search(query),
  })),
  mutant(
    'conditions that must not hold, which are ignored',
    'a condition that must not hold, of a token, finds all other records of the type',
    changeQuery((query) => ({ ...query, conditions: query.conditions.filter(({ on }) => on !== 'not') })),
  ),
  mutant(
    'a condition that must not hold, mistaken for one that must',
    'a condition that must not hold, of a date, finds all other records of the type',
    changeConditions((condition) => (condition.on === 'not' ? condition.condition : condition)),
  ),
  mutant(
    'another value of a parameter mistaken for the absence of one',
    'a condition that must not hold, of a word, finds all other records of the type',
    judgeConditions((condition, index) => {
      if (condition.on !== 'not' || condition.condition.on !== 'string') return null;
      const { parameter } = condition.condition;
      return index.some((entry) => entry.parameter === parameter) ? null : false;
    }),
  ),
  mutant(
    'records without a chart that another patient does not have',
    'a condition that must not hold, of a patient, finds all other records of the type',
    judgeConditions((condition, _index, patientId) =>
      condition.on === 'not' && condition.condition.on === 'patient' && patientId === null ? false : null,
    ),
  ),
  mutant(
    'a condition without criteria that must not hold, and finds nothing',
    'a condition that must not hold, of an empty list, finds all other records of the type',
    judgeConditions((condition) =>
      condition.on === 'not' &&
      criteriaOf(condition.condition).length === 0 &&
      condition.condition.on !== 'entry'
        ? false
        : null,
    ),
  ),
  mutant(
    'only the first criterion that must not hold',
    'a condition that must not hold, of any of some tokens, finds all other records of the type',
    changeConditions((condition) =>
      condition.on === 'not'
        ? ({
            on: 'not',
            condition: { ...condition.condition, anyOf: criteriaOf(condition.condition).slice(0, 1) },
          } as SearchCondition)
        : condition,
    ),
  ),
  mutant(
    'the kind of an entry that is ignored',
    'an entry condition finds the records that have an entry of its kind under its parameter',
    judgeConditions((condition, index) =>
      condition.on === 'entry' ? index.some(({ parameter }) => parameter === condition.parameter) : null,
    ),
  ),
  mutant(
    'records without a resource that are still found',
    'only records with a resource are found',
    (store) => replaceSearch(store, matches),
  ),
];
