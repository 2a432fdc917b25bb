import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartRecord } from '../chart/command.ts';
import { stagedCommand } from '../chart/life.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { type Fault, type Result, ruleViolation } from '../errors.ts';
import type { Foreign, ForeignReading, NamesPractitioners } from '../fhir/foreign.ts';
import { goalFromFhir } from '../goal/from-fhir.ts';
import { goalKind } from '../goal/record.ts';
import { immunizationChart } from '../immunization/chart.ts';
import { immunizationFromFhir } from '../immunization/from-fhir.ts';
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

  const intake =
    <Read extends { readonly id: string; readonly patientId: string }, Body>(
      kind: RecordKind<ChartRecord<Body>>,
      read: ForeignReading<Read>,
      known: (sent: Read, mayFollow: boolean) => Result<Foreign<Read>>,
      prepare: (resource: Read, at: number) => Result<Prepared<Body>>,
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
        const isRetracted = isInError(resource) && !isInError(JSON.parse(here?.stored.resource ?? '{}'));
        const retracted = isRetracted ? [importFault('in-error-there')] : [];
        // It has been stripped of what it would be taken by.
        if (E.isLeft(reading)) {
          return here === null ? reading : E.right({ changes: [], answer: { isTaken: false, faults: retracted } });
        }
        const named = await known(reading.right.read, mayFollow)();
        if (E.isLeft(named)) return named;
        const leftOut = [...reading.right.faults, ...named.right.faults];
        if (here !== null) {
          return E.right({ changes: [], answer: { isTaken: false, faults: [...leftOut, ...retracted] } });
        }
        const at = now();
        const prepared = await prepare(named.right.read, at)();
        if (E.isLeft(prepared)) return prepared;
        const { record, alongside } = prepared.right;
        const change = changeTo(kind, loaded.right, record, { at, by: null });
        return E.right({ changes: [change, ...alongside], answer: { isTaken: true, faults: leftOut } });
      })();
    };

  /** A resource as it was sent, and which of the practitioners that it names are not known. */
  const naming =
    <Read extends NamesPractitioners>(read: Read, mayFollow: boolean): Result<Foreign<Read>> =>
    async () => {
      const faults: Fault[] = [];
      for (const { id, element } of read.practitioners) {
        const practitioner = await directory.demanded('Practitioner', id, element)();
        if (E.isRight(practitioner)) continue;
        if (!canDoWithout(practitioner.left, mayFollow)) return practitioner;
        faults.push(...practitioner.left.faults);
      }
      return E.right({ read, faults });
    };

  /** The record of a patient who is known. */
  const ofKnownPatient =
    (subject: string) =>
    <Body>({ practitioners: _, ...record }: ChartRecord<Body> & NamesPractitioners): Result<Prepared<Body>> =>
      pipe(
        directory.demanded('Patient', record.patientId, subject),
        TE.map(() => ({ record, alongside: [] })),
      );

  const readOrder = flow(
    serviceRequestFromFhir(environment),
    E.filterOrElse(
      ({ read }) => isInOrder(read.commands[0]?.body.occurrencePeriod, zone),
      () => ruleViolation(serviceRequestFault('period-order', 'ServiceRequest.occurrencePeriod')),
    ),
  );

  const immunizations = immunizationChart(environment, { directory, extensionBase });
  return {
    ServiceRequest: intake(
      serviceRequestKind(zone),
      readOrder,
      naming,
      ofKnownPatient('ServiceRequest.subject'),
    ),
    Goal: intake(goalKind, goalFromFhir(environment), naming, ofKnownPatient('Goal.subject')),
    Immunization: intake(
      immunizations.kind,
      immunizationFromFhir,
      (read) => TE.right({ read, faults: [] }),
      ({ id, command, isInError }, at) =>
        async () => {
          const placed = await immunizations.placedInNote(command, at)();
          if (E.isLeft(placed)) return E.left(atElements(placed.left));
          const { patientId, body, alongside } = placed.right;
          const act = { at, by: null };
          const committed = { ...stagedCommand(body, at), committed: { ...act, order: 0 } };
          return E.right({
            record: { id, patientId, commands: [{ ...committed, enteredInError: isInError ? act : null }] },
            alongside,
          });
        },
    ),
  };
};
