import * as E from 'fp-ts/lib/Either.js';
import { memberTypes } from '../care-team/model.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryFromFhir } from '../directory/from-fhir.ts';
import type { DirectoryInput } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { toldAt } from '../errors.ts';
import type { ForeignReading } from '../fhir/foreign.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { type Intake, intakeBy } from './intake.ts';

export type Imported = keyof ReturnType<typeof directoryFromFhir>;

/** Of all that is put, only this has another name in the resource. */
const atElements = toldAt((element) => (element === 'Encounter.patientId' ? 'Encounter.subject' : element));

const isMemberType = isOneOf(memberTypes);

/** Takes people, organizations and encounters into the directory. Those who are there take on what has changed. */
export const directoryIntakes = (
  environment: Environment,
  directory: DirectoryRecords,
): Readonly<Record<Imported, Intake>> => {
  const intake = <Type extends Imported>(type: Type, read: ForeignReading<DirectoryInput[Type]>): Intake =>
    intakeBy((resource) => async () => {
      const foreign = read(resource);
      if (E.isLeft(foreign)) return foreign;
      const { read: input, faults } = foreign.right;
      const decided = await directory.decide[type](input)();
      if (E.isLeft(decided)) return E.left(atElements(decided.left));
      const { changes, answer } = decided.right;
      return E.right({
        changes,
        answer: {
          countedAs: changes.length > 0 ? 'taken' : 'alreadyHere',
          faults,
          ...(isMemberType(type) && { member: { type, id: input.id, isNew: answer.before === null } }),
        },
      });
    });
  const fromFhir = directoryFromFhir(environment);
  return {
    Patient: intake('Patient', fromFhir.Patient),
    Practitioner: intake('Practitioner', fromFhir.Practitioner),
    Organization: intake('Organization', fromFhir.Organization),
    Encounter: intake('Encounter', fromFhir.Encounter),
  };
};
