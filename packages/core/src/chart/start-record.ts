import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type Outcome, ruleViolation } from '../errors.ts';
import { type LoadedRecord, load, missingRecord, recordExists } from '../records/load.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { chartIssue } from './issues.ts';

/** Starts the record of a command, with the id that the host gives, or a new one. */
export const startRecord = async <State>(
  { store, newId }: Pick<Environment, 'store' | 'newId'>,
  definition: RecordDefinition<State>,
  id: string | undefined,
): Outcome<LoadedRecord<State>> => {
  if (id === undefined) return E.right(missingRecord(newId()));
  const loaded = await load(store, definition, id);
  if (E.isRight(loaded) && recordExists(loaded.right)) {
    return E.left(ruleViolation(chartIssue('command-exists', 'id')));
  }
  return loaded;
};
