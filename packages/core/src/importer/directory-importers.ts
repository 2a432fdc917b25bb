import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { createDirectorySourceReaders } from '../directory/import.ts';
import { type DirectoryInput, memberTypes } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { relocateIssues } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { SourceReader } from '../fhir/source-resource.ts';
import { createImporterFromDecision, type ResourceImporter } from './resource-importer.ts';

export type ImportedEntryType = keyof ReturnType<typeof createDirectorySourceReaders>;

/** Of all that is put, only this has another name in the resource. */
const locateAtElements = relocateIssues((element) =>
  element === 'Encounter.patientId' ? 'Encounter.subject' : element,
);

const isMemberType = isOneOf(memberTypes);

/** Takes people, organizations and encounters into the directory. Those who are there take on what has changed. */
export const createDirectoryImporters = (
  environment: Environment,
  directory: DirectoryRecords,
): Readonly<Record<ImportedEntryType, ResourceImporter>> => {
  const createEntryImporter = <Type extends ImportedEntryType>(
    type: Type,
    read: SourceReader<DirectoryInput[Type]>,
  ): ResourceImporter =>
    createImporterFromDecision((resource) => async () => {
      const reading = read(resource);
      if (E.isLeft(reading)) return reading;
      const { value: input, issues } = reading.right;
      const decided = await directory.decide[type](input)();
      if (E.isLeft(decided)) return E.left(locateAtElements(decided.left));
      const { changes, result: change } = decided.right;
      return E.right({
        changes,
        result: {
          countedAs: changes.length > 0 ? 'taken' : 'alreadyHere',
          issues,
          ...(isMemberType(type) && { member: { type, id: input.id, isNew: change.before === null } }),
        },
      });
    });
  const fromFhir = createDirectorySourceReaders(environment);
  return {
    Patient: createEntryImporter('Patient', fromFhir.Patient),
    Practitioner: createEntryImporter('Practitioner', fromFhir.Practitioner),
    Organization: createEntryImporter('Organization', fromFhir.Organization),
    Encounter: createEntryImporter('Encounter', fromFhir.Encounter),
  };
};
