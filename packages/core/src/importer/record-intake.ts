import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ChartRecord } from '../chart/command.ts';
import type { Environment } from '../environment.ts';
import { type Fault, type Result, ruleViolation } from '../errors.ts';
import type { ForeignReading } from '../fhir/foreign.ts';
import { changeTo } from '../records/change.ts';
import { isPresent, load } from '../records/load.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { Change } from '../store/port.ts';
import { importFault } from './faults.ts';
import { type Intake, intakeBy } from './intake.ts';
import { type RecordNamed, retractedIn } from './retraction.ts';

/** A record that another system's resource comes to, and what has to be written beside it. */
export type Prepared<Body> = { readonly record: ChartRecord<Body>; readonly alongside: readonly Change[] };

/** How the resources of one type become records of commands. */
type RecordIntake<Read, Body> = {
  readonly kind: RecordKind<ChartRecord<Body>>;
  readonly read: ForeignReading<Read>;
  readonly prepare: (sent: Read, at: number, mayFollow: boolean) => Result<Prepared<Body>>;
  /** What a record has not kept of what was sent, whether it is new or was here before. */
  readonly lostOf: (sent: Read, record: ChartRecord<Body>, mayFollow: boolean) => Result<readonly Fault[]>;
};

/** Takes resources of one type into the chart. One that is here already stays as the clinic has it. */
export const recordIntake =
  ({ store, now }: Environment) =>
  <Read extends RecordNamed & { readonly patientId: string }, Body>({
    kind,
    read,
    prepare,
    lostOf,
  }: RecordIntake<Read, Body>): Intake =>
    intakeBy((resource, mayFollow) => async () => {
      const reading = read(resource);
      const named = pipe(
        reading,
        E.map(({ read: sent }): RecordNamed => sent),
        E.orElse((error) => E.fromNullable(error)(retractedIn(resource))),
      );
      if (E.isLeft(named)) return named;
      const { id, patientId, isInError } = named.right;
      const loaded = await load(store, kind, id)();
      if (E.isLeft(loaded)) return loaded;
      const here = isPresent(loaded.right) ? loaded.right : null;
      if (here !== null && patientId !== undefined && here.state.patientId !== patientId) {
        return E.left(ruleViolation(importFault('of-another-patient', `${kind.type}.id`)));
      }
      const isRetracted = isInError && here !== null && here.state.commands[0]?.enteredInError == null;
      const retracted = isRetracted ? [importFault('in-error-there')] : [];
      // All that its system has left of it is that it was entered in error.
      if (E.isLeft(reading)) {
        return here === null
          ? reading
          : E.right({ changes: [], answer: { countedAs: 'alreadyHere', faults: retracted } });
      }
      const { read: sent, faults } = reading.right;
      const at = now();
      const prepared =
        here === null ? await prepare(sent, at, mayFollow)() : E.right({ record: here.state, alongside: [] });
      if (E.isLeft(prepared)) return prepared;
      const { record, alongside } = prepared.right;
      const lost = await lostOf(sent, record, mayFollow)();
      if (E.isLeft(lost)) return lost;
      const change = here === null ? [changeTo(kind, loaded.right, record, { at, by: null })] : [];
      return E.right({
        changes: [...change, ...alongside],
        answer: {
          countedAs: here === null ? 'taken' : 'alreadyHere',
          faults: [...faults, ...lost.right, ...retracted],
        },
      });
    });
