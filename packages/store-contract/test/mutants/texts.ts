import type { Change } from '@clinical-records/core';
import { mutant, rewriting } from './mutant.ts';

const writing = (different: (text: string) => string) =>
  rewriting((change: Change) => ({
    ...change,
    state: different(change.state),
    resource: change.resource === null ? null : different(change.resource),
  }));

export const textMutants = [
  mutant(
    'JSON text that is parsed and written anew',
    'JSON text comes back character by character, with its spaces, its order and its numbers',
    writing((text) => JSON.stringify(JSON.parse(text))),
  ),
  mutant(
    'texts cut off at 65,535 characters',
    'texts that are very long come back the same',
    writing((text) => text.slice(0, 65_535)),
  ),
  mutant(
    'characters of one byte each',
    'texts with many scripts come back the same',
    writing((text) => Buffer.from(text, 'latin1').toString('latin1')),
  ),
  mutant(
    'characters of the first plane alone',
    'texts with characters beyond the first plane come back the same',
    writing((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  ),
  mutant(
    'letters that are composed on the way in',
    'texts with the same letter composed and decomposed come back the same',
    writing((text) => text.normalize('NFC')),
  ),
  mutant(
    'codes that are told apart by letters in lower case',
    'texts are told apart by every character: case, accents and spaces',
    (store) => ({
      search: (query) =>
        store.search({
          ...query,
          conditions: query.conditions.map((condition) =>
            condition.on === 'patient'
              ? { ...condition, anyOf: condition.anyOf.flatMap((one) => [one, one.toLowerCase()]) }
              : condition,
          ),
        }),
    }),
  ),
  mutant(
    'ids without the spaces at their ends',
    'texts with white space come back the same',
    rewriting((change) => ({ ...change, id: change.id.trim() })),
  ),
];
