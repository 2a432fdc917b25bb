import * as E from 'fp-ts/lib/Either.js';
import { flow } from 'fp-ts/lib/function.js';
import type { ChartRecord } from '../chart/command.ts';
import { stagedCommand } from '../chart/life.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { type Fault, type Result, ruleViolation } from '../errors.ts';
import type { ForeignReading, NamesPractitioners } from '../fhir/foreign.ts';
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

/** A record that another system's resource comes to, what has to be written beside it, and what is wrong with it even so. */
type Prepared<Body> = {
  readonly record: ChartRecord<Body>;
  readonly alongside: readonly Change[];
  readonly faults: readonly Fault[];
};

/** Whether a resource says that it was entered in error. Of a goal, that is its lifecycle. */
const saysInError = (resource: unknown): boolean => {
  const { status, lifecycleStatus = status } = resource as Readonly<Record<string, unknown>>;
  return lifecycleStatus === 'entered-in-error';
};

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
      prepare: (resource: Read, at: number, mayFollow: boolean) => Result<Prepared<Body>>,
    ): Intake =>
    (resource, mayFollow) =>
    async () => {
      const foreign = read(resource);
      if (E.isLeft(foreign)) return foreign;
      const { read: sent, faults: leftOut } = foreign.right;
      const { id, patientId } = sent;
      return transact(store)(async () => {
        const loaded = await load(store)(kind, id)();
        if (E.isLeft(loaded)) return loaded;
        if (isPresent(loaded.right)) {
          const { state, stored } = loaded.right;
          if (state.patientId !== patientId) {
            return E.left(ruleViolation(importFault('of-another-patient', `${kind.type}.id`)));
          }
          const isRetracted = saysInError(resource) && !saysInError(JSON.parse(stored.resource ?? '{}'));
          const faults = isRetracted ? [importFault('in-error-there')] : [];
          return E.right({ changes: [], answer: { isTaken: false, faults } });
        }
        const at = now();
        const prepared = await prepare(sent, at, mayFollow)();
        if (E.isLeft(prepared)) return prepared;
        const { record, alongside, faults } = prepared.right;
        const change = changeTo(kind, loaded.right, record, { at, by: null });
        return E.right({
          changes: [change, ...alongside],
          answer: { isTaken: true, faults: [...leftOut, ...faults] },
        });
      })();
    };

  /** The record of a patient who is known, and which of the practitioners that it names are not. */
  const ofKnownPatient =
    (subject: string) =>
    <Body>(
      { practitioners, ...record }: ChartRecord<Body> & NamesPractitioners,
      _at: number,
      mayFollow: boolean,
    ): Result<Prepared<Body>> =>
    async () => {
      const patient = await directory.demanded('Patient', record.patientId, subject)();
      if (E.isLeft(patient)) return patient;
      const faults: Fault[] = [];
      for (const { id, element } of practitioners) {
        const practitioner = await directory.demanded('Practitioner', id, element)();
        if (E.isRight(practitioner)) continue;
        if (!canDoWithout(practitioner.left, mayFollow)) return practitioner;
        faults.push(...practitioner.left.faults);
      }
      return E.right({ record, alongside: [], faults });
    };

  const readOrder = flow(
    serviceRequestFromFhir(environment),
    E.filterOrElse(
      ({ read }) => isInOrder(read.commands[0]?.body.occurrencePeriod, zone),
      () => ruleViolation(serviceRequestFault('period-order', 'ServiceRequest.occurrencePeriod')),
    ),
  );

  const immunizations = immunizationChart(environment, { directory, extensionBase });
  return {
    ServiceRequest: intake(serviceRequestKind(zone), readOrder, ofKnownPatient('ServiceRequest.subject')),
    Goal: intake(goalKind, goalFromFhir(environment), ofKnownPatient('Goal.subject')),
    Immunization: intake(
      immunizations.kind,
      immunizationFromFhir,
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
            faults: [],
          });
        },
    ),
  };
};
