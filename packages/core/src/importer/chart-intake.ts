import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import { stagedCommand } from '../chart/life.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { ClinicalError, Result } from '../errors.ts';
import { goalFromFhir } from '../goal/from-fhir.ts';
import { goalKind } from '../goal/record.ts';
import { immunizationChart } from '../immunization/chart.ts';
import { immunizationFromFhir } from '../immunization/from-fhir.ts';
import { atElements } from '../immunization/request.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { changeTo, isPresent, type RecordKind } from '../records/record-kind.ts';
import { transact } from '../records/transact.ts';
import { serviceRequestFromFhir } from '../service-request/from-fhir.ts';
import { serviceRequestKind } from '../service-request/record.ts';
import type { Change } from '../store/port.ts';
import { type Intake, outcome } from './intake.ts';

/** A record that another system's resource comes to, and what has to be written beside it. */
type Prepared<Body> = { readonly record: ChartRecord<Body>; readonly alongside: readonly Change[] };

/** Takes orders, goals and immunizations into the chart. One that is here already stays as the clinic has it. */
export const chartIntakes = (
  environment: Environment,
  { directory, extensionBase }: { readonly directory: DirectoryRecords; readonly extensionBase: string },
): Readonly<Record<'ServiceRequest' | 'Goal' | 'Immunization', Intake>> => {
  const { store, now, newId, zone } = environment;

  const intake =
    <Read extends { readonly id: string }, Body>(
      kind: RecordKind<ChartRecord<Body>>,
      read: (resource: unknown) => E.Either<ClinicalError, Read>,
      prepare: (resource: Read, at: number) => Result<Prepared<Body>>,
    ): Intake =>
    (resource) =>
    async () => {
      const foreign = read(resource);
      if (E.isLeft(foreign)) return foreign;
      return transact(store)(async () => {
        const loaded = await load(store)(kind, foreign.right.id)();
        if (E.isLeft(loaded)) return loaded;
        if (isPresent(loaded.right)) return E.right({ changes: [], answer: outcome(false) });
        const at = now();
        const prepared = await prepare(foreign.right, at)();
        if (E.isLeft(prepared)) return prepared;
        const { record, alongside } = prepared.right;
        const change = changeTo(kind, loaded.right, record, { at, by: null });
        return E.right({ changes: [change, ...alongside], answer: outcome(true) });
      })();
    };

  const ofKnownPatient =
    <Body>(record: ChartRecord<Body>): Result<Prepared<Body>> =>
    async () => {
      const patient = await directory.demanded('Patient', record.patientId, 'subject')();
      return E.isLeft(patient) ? patient : E.right({ record, alongside: [] });
    };

  const immunizations = immunizationChart(environment, { directory, extensionBase });
  return {
    ServiceRequest: intake(
      serviceRequestKind(zone),
      (resource) => serviceRequestFromFhir(now())(resource),
      ofKnownPatient,
    ),
    Goal: intake(goalKind, (resource) => goalFromFhir({ now: now(), newId })(resource), ofKnownPatient),
    Immunization: intake(
      immunizations.kind,
      immunizationFromFhir,
      ({ id, command, isInError }, at) =>
        async () => {
          const placed = await immunizations.noted(command, at)();
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
