import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type Result, ruleViolation } from '../errors.ts';
import { absent, isPresent, type Loaded, load } from '../records/load.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { chartFault } from './faults.ts';

/** The record that a command begins: under the id that the host gives it, or a new one. */
export const newRecord =
  <State>(
    { store, newId }: Environment,
    kind: RecordKind<State>,
    id: string | undefined,
  ): Result<Loaded<State>> =>
  async () => {
    if (id === undefined) return E.right(absent(newId()));
    const loaded = await load(store, kind, id)();
    if (E.isRight(loaded) && isPresent(loaded.right)) {
      return E.left(ruleViolation(chartFault('command-exists', 'id')));
    }
    return loaded;
  };
