import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartRecord } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { type Fault, type Result, ruleViolation } from '../errors.ts';
import type { SaidBesides } from '../fhir/foreign.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { goalFromFhir } from '../goal/from-fhir.ts';
import { goalKind } from '../goal/kind.ts';
import { serviceRequestFault } from '../service-request/faults.ts';
import { serviceRequestFromFhir } from '../service-request/from-fhir.ts';
import { serviceRequestKind } from '../service-request/kind.ts';
import { beginsBeforeItEnds } from '../service-request/period.ts';
import { careTeamIntake } from './care-team-intake.ts';
import { directoryIntakes, type Imported } from './directory-intake.ts';
import { immunizationIntake } from './immunization-intake.ts';
import { canDoWithout, type Intake } from './intake.ts';
import { type Prepared, recordIntake } from './record-intake.ts';
import { waitingFirst } from './waiting.ts';

/** What takes in the resources of each type for which there is a place here. */
export const createIntakes = (
  environment: Environment,
  directory: DirectoryRecords,
): Readonly<Record<Imported | ResourceType, Intake>> => {
  const { zone } = environment;
  const intake = recordIntake(environment);

  /** The record of a patient who is known. */
  const ofKnownPatient =
    (subject: string) =>
    <Body>({ id, patientId, commands }: ChartRecord<Body>): Result<Prepared<Body>> =>
      pipe(
        directory.demanded('Patient', patientId, subject),
        TE.map(() => ({ record: { id, patientId, commands }, alongside: [] })),
      );

  /** Which of the practitioners that a resource names are not known: they stay named. */
  const unknownIn =
    ({ practitioners }: SaidBesides, _: unknown, mayFollow: boolean): Result<readonly Fault[]> =>
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
      ({ read }) => beginsBeforeItEnds(read.commands[0]?.body.occurrencePeriod, zone),
      () => ruleViolation(serviceRequestFault('period-order', 'ServiceRequest.occurrencePeriod')),
    ),
  );

  const unlessWaiting = waitingFirst(environment, directory);
  const { Encounter, ...others } = directoryIntakes(environment, directory);
  return {
    ...others,
    Encounter: unlessWaiting(Encounter),
    ServiceRequest: unlessWaiting(
      intake({
        kind: serviceRequestKind(zone),
        read: readOrder,
        prepare: ofKnownPatient('ServiceRequest.subject'),
        lostOf: unknownIn,
      }),
    ),
    Goal: unlessWaiting(
      intake({
        kind: goalKind,
        read: goalFromFhir(environment),
        prepare: ofKnownPatient('Goal.subject'),
        lostOf: unknownIn,
      }),
    ),
    Immunization: unlessWaiting(immunizationIntake(environment, directory)),
    CareTeam: unlessWaiting(careTeamIntake(environment, directory)),
  };
};
