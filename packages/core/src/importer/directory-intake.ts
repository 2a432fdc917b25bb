import * as E from 'fp-ts/lib/Either.js';
import type { Directory } from '../directory/directory.ts';
import { directoryFromFhir } from '../directory/from-fhir.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { DirectoryEntry, DirectoryInput } from '../directory/model.ts';
import type { ClinicalError, Result } from '../errors.ts';
import { load } from '../records/load.ts';
import { isSameState } from '../records/record-kind.ts';
import type { ClinicalStore } from '../store/port.ts';
import { type Intake, outcome } from './intake.ts';

type Imported = keyof typeof directoryFromFhir;

/** Takes people, organizations and encounters into the directory. Those who are there take on what has changed. */
export const directoryIntakes = (
  store: ClinicalStore,
  directory: Directory,
): Readonly<Record<Imported, Intake>> => {
  const intake =
    <Type extends Imported>(
      type: Type,
      read: (resource: unknown) => E.Either<ClinicalError, DirectoryInput[Type]>,
      put: (input: DirectoryInput[Type]) => Result<DirectoryEntry[Type]>,
    ): Intake =>
    (resource) =>
    async () => {
      const input = read(resource);
      if (E.isLeft(input)) return input;
      const before = await load(store)(directoryKinds[type], input.right.id)();
      if (E.isLeft(before)) return before;
      const entry = await put(input.right)();
      return E.isLeft(entry) ? entry : E.right(outcome(!isSameState(before.right.state, entry.right)));
    };
  return {
    Patient: intake('Patient', directoryFromFhir.Patient, directory.putPatient),
    Practitioner: intake('Practitioner', directoryFromFhir.Practitioner, directory.putPractitioner),
    Organization: intake('Organization', directoryFromFhir.Organization, directory.putOrganization),
    Encounter: intake('Encounter', directoryFromFhir.Encounter, directory.putEncounter),
  };
};
