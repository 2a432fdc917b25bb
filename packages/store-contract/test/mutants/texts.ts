import type {
  ClinicalStore,
  IndexedRecord,
  RecordChange,
  SearchCondition,
} from '@clinical-records/core/store';
import { everything, mapResult, matchesQuery, mutant, replaceSearch, rewriteChanges } from './mutant.ts';

const changeTexts = (different: (text: string) => string) =>
  rewriteChanges((change: RecordChange) => ({
    ...change,
    state: different(change.state),
    resource: change.resource === null ? null : different(change.resource),
  }));

const inLowerCase = (text: string) => text.toLowerCase();
const composed = (text: string) => text.normalize('NFC');
const trimmed = (text: string) => text.trim();
const asNumber = (text: string) => (Number.isNaN(Number(text)) ? text : `${Number(text)}`);
const cutOff = (text: string) => text.slice(0, 255);
const upToZero = (text: string) => text.split('\u0000')[0] ?? text;

/** Something with one of its texts made into the form in which a store compares it. */
const changeField = <A extends object>(one: A, field: string, form: (text: string) => string): A => {
  const text: unknown = Object.entries(one).find(([name]) => name === field)?.[1];
  return typeof text === 'string' ? { ...one, [field]: form(text) } : one;
};

/** A search that compares the forms of a text where it has to compare the text. */
const compareForms = (field: string, form: (text: string) => string) => {
  const inCriterion = <A>(one: A) =>
    typeof one === 'object' && one !== null ? changeField(one, field, form) : one;
  const inCondition = (condition: SearchCondition): SearchCondition => {
    if (!('anyOf' in condition)) return condition;
    const anyOf =
      condition.on === field || (condition.on === 'patient' && field === 'patientId')
        ? condition.anyOf.map((text) => form(`${text}`))
        : condition.anyOf.map(inCriterion);
    return { ...changeField(condition, field, form), anyOf } as SearchCondition;
  };
  const inRecord = (record: IndexedRecord): IndexedRecord => {
    const index = record.index.map((entry) => changeField(entry, field, form));
    return { ...(field === 'type' ? record : changeField(record, field, form)), index };
  };
  return (store: ClinicalStore) =>
    replaceSearch(
      store,
      (query) => (record) =>
        matchesQuery({ ...query, conditions: query.conditions.map(inCondition) })(inRecord(record)),
    );
};

const looseMutants = (
  [
    ['ids compared', 'id', composed, 'the id of a record'],
    ['ids without the spaces at their ends compared', 'id', trimmed, 'the id of a record'],
    ['patients in lower case compared', 'patientId', inLowerCase, 'a patient'],
    ['parameters in lower case compared', 'parameter', inLowerCase, 'the parameter of a token'],
    ['systems in lower case compared', 'system', inLowerCase, 'the system of a token'],
    ['codes in lower case compared', 'code', inLowerCase, 'the code of a token'],
    ['codes compared as numbers', 'code', asNumber, 'the code of a token'],
    ['codes compared up to their 255th character', 'code', cutOff, 'the code of a token'],
    ['codes compared up to U+0000', 'code', upToZero, 'the code of a token'],
    ['parameters of references compared as numbers', 'parameter', asNumber, 'the parameter of a reference'],
    ['types of references in lower case compared', 'type', inLowerCase, 'the type of a reference'],
    ['ids of references in lower case compared', 'id', inLowerCase, 'the id of a reference'],
  ] as const
).map(([fault, field, form, place]) =>
  mutant(fault, `records are distinguished by every character of ${place}`, compareForms(field, form)),
);

export const textMutants = [
  ...looseMutants,
  mutant(
    'records read by their ids in lower case',
    'read distinguishes records by every character of their types and ids',
    (store) => ({
      read: ({ type, id }) =>
        mapResult(store.scan(everything), (records) => {
          const isMeant = (one: IndexedRecord) =>
            one.type === type && inLowerCase(one.id) === inLowerCase(id);
          const found = records.find(isMeant);
          if (found === undefined) return null;
          const { position: _, index: __, ...record } = found;
          return record;
        }),
    }),
  ),
  mutant(
    'a system and a code that are joined before they are compared',
    'two texts are distinguished if they are equal only when they are joined',
    (store) =>
      replaceSearch(
        store,
        (query) => (record) =>
          query.conditions.every(
            (condition) =>
              condition.on === 'token' &&
              record.index.some(
                (entry) =>
                  entry.kind === 'token' &&
                  entry.parameter === condition.parameter &&
                  condition.anyOf.some(
                    ({ system, code }) => `${system}|${code}` === `${entry.system}|${entry.code}`,
                  ),
              ),
          ),
      ),
  ),
  mutant(
    'an author with an empty id that is stored as none',
    'an empty text is distinguished from a missing one',
    rewriteChanges((change) => ({ ...change, by: change.by || null })),
  ),
  mutant(
    'a patient with an empty id that is stored as none',
    'an empty text is distinguished from a missing one',
    rewriteChanges((change) => ({ ...change, patientId: change.patientId || null })),
  ),
  mutant(
    'JSON text that is parsed and written again',
    'JSON text is stored unchanged, with its spaces, its order and its numbers',
    changeTexts((text) => JSON.stringify(JSON.parse(text))),
  ),
  mutant(
    'texts cut off at 65,535 characters',
    'very long texts are stored unchanged',
    changeTexts((text) => text.slice(0, 65_535)),
  ),
  mutant(
    'characters of one byte each',
    'texts with many scripts are stored unchanged',
    changeTexts((text) => Buffer.from(text, 'latin1').toString('latin1')),
  ),
  mutant(
    'only characters of the first plane',
    'texts with characters beyond the first plane are stored unchanged',
    changeTexts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  ),
  mutant(
    'letters that are composed on the way in',
    'texts with the same letter composed and decomposed are stored unchanged',
    changeTexts((text) => text.normalize('NFC')),
  ),
  mutant(
    'ids without the spaces at their ends',
    'texts with white space are stored unchanged',
    rewriteChanges((change) => ({ ...change, id: change.id.trim() })),
  ),
];
