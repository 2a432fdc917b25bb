import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartRecord } from '../chart/command.ts';
import { stagedCommand } from '../chart/life.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { type Fault, type Result, ruleViolation } from '../errors.ts';
import { type ForeignReading, leftOut, type NamesPractitioners } from '../fhir/foreign.ts';
import { goalFromFhir } from '../goal/from-fhir.ts';
import { goalKind } from '../goal/record.ts';
import { immunizationChart } from '../immunization/chart.ts';
import { type ForeignImmunization, immunizationFromFhir } from '../immunization/from-fhir.ts';
import type { ImmunizationBody, ImmunizationCommand } from '../immunization/model.ts';
import { atElements } from '../immunization/request.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { changeTo, isPresent, type RecordKind } from '../records/record-kind.ts';
import { transact } from '../records/transact.ts';
import { serviceRequestFault } from '../service-request/faults.ts';
import { serviceRequestFromFhir } from '../service-request/from-fhir.ts';
import { isInOrder } from '../service-request/period.ts';
import { serviceRequestKind } from '../service-request/record.ts';
import type { Change } from '../store/port.ts';
import { importFault } from './faults.ts';
import { canDoWithout, type Intake } from './intake.ts';
import { isInError, type Named, retractedIn } from './retraction.ts';

/** A record that another system's resource comes to, and what has to be written beside it. */
type Prepared<Body> = { readonly record: ChartRecord<Body>; readonly alongside: readonly Change[] };

/** Takes orders, goals and immunizations into the chart. One that is here already stays as the clinic has it. */
export const chartIntakes = (
  environment: Environment,
  { directory, extensionBase }: { readonly directory: DirectoryRecords; readonly extensionBase: string },
): Readonly<Record<'ServiceRequest' | 'Goal' | 'Immunization', Intake>> => {
  const { store, now, zone } = environment;

  /** `lostOf` tells what a record has not kept of what was sent, whether it is new or was here before. */
  const intake =
    <Read extends { readonly id: string; readonly patientId: string }, Body>(
      kind: RecordKind<ChartRecord<Body>>,
      read: ForeignReading<Read>,
      prepare: (sent: Read, at: number) => Result<Prepared<Body>>,
      lostOf: (sent: Read, record: ChartRecord<Body>, mayFollow: boolean) => Result<readonly Fault[]>,
    ): Intake =>
    (resource, mayFollow) =>
    async () => {
      const reading = read(resource);
      const sent = pipe(
        reading,
        E.map(({ read: { id, patientId } }): Named => ({ id, patientId })),
        E.orElse((error) => E.fromNullable(error)(retractedIn(resource))),
      );
      if (E.isLeft(sent)) return sent;
      const { id, patientId } = sent.right;
      return transact(store)(async () => {
        const loaded = await load(store)(kind, id)();
        if (E.isLeft(loaded)) return loaded;
        const here = isPresent(loaded.right) ? loaded.right : null;
        if (here !== null && patientId !== undefined && here.state.patientId !== patientId) {
          return E.left(ruleViolation(importFault('of-another-patient', `${kind.type}.id`)));
        }
        const isRetracted =
          here !== null && isInError(resource) && !isInError(JSON.parse(here.stored.resource ?? '{}'));
        const retracted = isRetracted ? [importFault('in-error-there')] : [];
        // It has been stripped of what it would be taken by.
        if (E.isLeft(reading)) {
          return here === null
            ? reading
            : E.right({ changes: [], answer: { isTaken: false, faults: retracted } });
        }
        const { read: whole, faults } = reading.right;
        const at = now();
        const prepared =
          here === null ? await prepare(whole, at)() : E.right({ record: here.state, alongside: [] });
        if (E.isLeft(prepared)) return prepared;
        const { record, alongside } = prepared.right;
        const lost = await lostOf(whole, record, mayFollow)();
        if (E.isLeft(lost)) return lost;
        const change = here === null ? [changeTo(kind, loaded.right, record, { at, by: null })] : [];
        return E.right({
          changes: [...change, ...alongside],
          answer: { isTaken: here === null, faults: [...faults, ...lost.right, ...retracted] },
        });
      })();
    };

  /** The record of a patient who is known. */
  const ofKnownPatient =
    (subject: string) =>
    <Body>({ practitioners: _, ...record }: ChartRecord<Body> & NamesPractitioners): Result<Prepared<Body>> =>
      pipe(
        directory.demanded('Patient', record.patientId, subject),
        TE.map(() => ({ record, alongside: [] })),
      );

  /** Which of the practitioners that a resource names are not known: they stay named. */
  const unknownIn =
    ({ practitioners }: NamesPractitioners, _: unknown, mayFollow: boolean): Result<readonly Fault[]> =>
    async () => {
      const faults: Fault[] = [];
      for (const { id, element } of practitioners) {
        const practitioner = await directory.demanded('Practitioner', id, element)();
        if (E.isRight(practitioner)) continue;
        if (!canDoWithout(practitioner.left, mayFollow)) return practitioner;
        faults.push(...practitioner.left.faults);
      }
      return E.right(faults);
    };

  const readOrder = flow(
    serviceRequestFromFhir(environment),
    E.filterOrElse(
      ({ read }) => isInOrder(read.commands[0]?.body.occurrencePeriod, zone),
      () => ruleViolation(serviceRequestFault('period-order', 'ServiceRequest.occurrencePeriod')),
    ),
  );

  const immunizations = immunizationChart(environment, { directory, extensionBase });

  /** A command in the note that it names, if it can stand there; else as if it named none. */
  const noted = (command: ImmunizationCommand, at: number) =>
    pipe(
      immunizations.placedInNote(command, at),
      TE.orElse((error) =>
        command.noteId === undefined || error._tag === 'StoreFailure'
          ? TE.left(error)
          : immunizations.placedInNote({ ...command, noteId: undefined }, at),
      ),
      TE.mapLeft(atElements),
    );

  const placedInNote = (
    { id, command, isInError }: ForeignImmunization,
    at: number,
  ): Result<Prepared<ImmunizationBody>> =>
    pipe(
      noted(command, at),
      TE.map(({ patientId, body, alongside }) => {
        const act = { at, by: null };
        const committed = { ...stagedCommand(body, at), committed: { ...act, order: 0 } };
        const commands = [{ ...committed, enteredInError: isInError ? act : null }];
        return { record: { id, patientId, commands }, alongside };
      }),
    );

  /** The note that was named, where the record stands in another. */
  const lostNote = (
    { command: { noteId } }: ForeignImmunization,
    { commands: [placed] }: ChartRecord<ImmunizationBody>,
  ): Result<readonly Fault[]> =>
    TE.right(
      noteId === undefined || noteId === placed?.body.noteId ? [] : [leftOut('Immunization.extension')],
    );

  return {
    ServiceRequest: intake(
      serviceRequestKind(zone),
      readOrder,
      ofKnownPatient('ServiceRequest.subject'),
      unknownIn,
    ),
    Goal: intake(goalKind, goalFromFhir(environment), ofKnownPatient('Goal.subject'), unknownIn),
    Immunization: intake(immunizations.kind, immunizationFromFhir(extensionBase), placedInNote, lostNote),
  };
};
