import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type Result, ruleViolation } from '../errors.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { absent, isPresent, type Loaded, type RecordKind } from '../records/record-kind.ts';
import { chartFault } from './faults.ts';

/** The record that a command begins: under the id that the host gives it, or a new one. */
export const newRecord =
  ({ store, newId }: Environment) =>
  <State>(kind: RecordKind<State>, id: string | undefined): Result<Loaded<State>> =>
    id === undefined
      ? TE.right(absent(newId()))
      : pipe(
          load(store)(kind, id),
          TE.filterOrElse(
            (loaded) => !isPresent(loaded),
            () => ruleViolation(chartFault('command-exists', 'id')),
          ),
        );
