import * as E from 'fp-ts/lib/Either.js';
import type { Directory } from '../directory/directory.ts';
import { directoryFromFhir } from '../directory/from-fhir.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { DirectoryEntry, DirectoryInput } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type Result, toldAt } from '../errors.ts';
import type { ForeignReading } from '../fhir/foreign.ts';
import { isSameState } from '../records/change.ts';
import { load } from '../records/load.ts';
import type { Intake } from './intake.ts';

export type Imported = keyof ReturnType<typeof directoryFromFhir>;

/** Of all that is put, only this has another name in the resource. */
const atElements = toldAt((element) => (element === 'Encounter.patientId' ? 'Encounter.subject' : element));

/** Takes people, organizations and encounters into the directory. Those who are there take on what has changed. */
export const directoryIntakes = (
  environment: Environment,
  directory: Directory,
): Readonly<Record<Imported, Intake>> => {
  const intake =
    <Type extends Imported>(
      type: Type,
      read: ForeignReading<DirectoryInput[Type]>,
      put: (input: DirectoryInput[Type]) => Result<DirectoryEntry[Type]>,
    ): Intake =>
    (resource) =>
    async () => {
      const foreign = read(resource);
      if (E.isLeft(foreign)) return foreign;
      const { read: input, faults } = foreign.right;
      const before = await load(environment.store, directoryKinds[type], input.id)();
      if (E.isLeft(before)) return before;
      const entry = await put(input)();
      return E.isLeft(entry)
        ? E.left(atElements(entry.left))
        : E.right({ isTaken: !isSameState(before.right.state, entry.right), faults });
    };
  const fromFhir = directoryFromFhir(environment);
  return {
    Patient: intake('Patient', fromFhir.Patient, directory.putPatient),
    Practitioner: intake('Practitioner', fromFhir.Practitioner, directory.putPractitioner),
    Organization: intake('Organization', fromFhir.Organization, directory.putOrganization),
    Encounter: intake('Encounter', fromFhir.Encounter, directory.putEncounter),
  };
};
