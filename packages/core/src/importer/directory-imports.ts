import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type DirectoryEntry, type DirectoryInput, isMemberType } from '../directory/model.ts';
import { deriveDirectoryResource } from '../directory/resources.ts';
import { createDirectorySourceReaders, hasOneName, noName } from '../directory/source.ts';
import type { Environment } from '../environment.ts';
import { type Issue, type Outcome, relocateIssues } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { readLastUpdated, type SentResource, type SourceReader } from '../fhir/source-resource.ts';
import { isSameState, recordExists } from '../records/transact.ts';
import { checkDates } from './implausible-dates.ts';
import { findLostElements, importIssue } from './import-report.ts';
import type { OtherVersion } from './other-formats.ts';
import { createImporterFromDecision, type TypeImport } from './record-importer.ts';
import type { UpdateMode } from './repeated-load.ts';

type ImportedEntryType = keyof ReturnType<typeof createDirectorySourceReaders>;

/** Only this field of an entry has another name in the resource. */
const locateAtSubject = relocateIssues((element) =>
  element === 'Encounter.patientId' ? 'Encounter.subject' : element,
);

/** A last name may have been sent as a name that is not divided, or as the only first name. */
const withSentName = (
  resource: object,
  { lastName, firstName }: DirectoryEntry['Patient' | 'Practitioner'],
) => ({
  ...resource,
  name: [{ family: lastName, given: [firstName === '' ? lastName : firstName], text: lastName }],
});

/** Show entries as other systems send them. */
const toSource: { readonly [Type in ImportedEntryType]: (entry: DirectoryEntry[Type]) => object } = {
  ...deriveDirectoryResource,
  Patient: (entry) => {
    const { meta, ...elements } = deriveDirectoryResource.Patient(entry);
    const lastUpdated = formatInstant(entry.lastModified);
    return { ...withSentName(elements, entry), meta: { ...meta, lastUpdated } };
  },
  Practitioner: (entry) => withSentName(deriveDirectoryResource.Practitioner(entry), entry),
};

/** The entry of a person who has no name at the source, with the name that is known here, if one is. */
const keepKnownName = async <Type extends ImportedEntryType>(
  type: Type,
  input: DirectoryInput[Type],
  { find }: DirectoryRecords,
): Outcome<DirectoryInput[Type]> => {
  if (!('lastName' in input) || input.lastName !== noName) return E.right(input);
  const known = await find(type, input.id);
  if (E.isLeft(known)) return known;
  if (!recordExists(known.right)) return E.right(input);
  const { lastName, firstName } = known.right.state as DirectoryEntry['Patient' | 'Practitioner'];
  return E.right({ ...input, lastName, firstName });
};

type Entry = DirectoryEntry[ImportedEntryType];

/** Whether two entries differ in more than when they were modified. */
const differ = (one: Entry, other: Entry): boolean =>
  !isSameState({ ...one, lastModified: 0 }, { ...other, lastModified: 0 });

/**
 * Why an entry that exists is not updated: an issue, or none if nothing but its time differs. Null if it is updated. Only patients
 * have a time of their last change.
 */
const findRefusal = (
  before: Entry,
  after: Entry,
  resource: SentResource,
  updates: UpdateMode,
): readonly Issue[] | null => {
  if (updates === 'none') return differ(before, after) ? [importIssue('not-updated')] : [];
  const { lastUpdated } = readLastUpdated(resource, Number.POSITIVE_INFINITY);
  const isEarlier =
    lastUpdated !== undefined && 'lastModified' in before && Date.parse(lastUpdated) < before.lastModified;
  if (updates === 'all' || !isEarlier) return null;
  return differ(before, after) ? [importIssue('earlier-source')] : [];
};

const createEntryImport = <Type extends ImportedEntryType>(
  type: Type,
  read: SourceReader<DirectoryInput[Type]>,
  { now, zone }: Pick<Environment, 'now' | 'zone'>,
  otherVersions: readonly OtherVersion[] = [],
): TypeImport => ({
  people: [],
  otherVersions,
  importResource: createImporterFromDecision(async (resource, { directory, updates }) => {
    const reading = read(resource);
    if (E.isLeft(reading)) return reading;
    const { value, issues } = reading.right;
    const named = await keepKnownName(type, value, directory);
    if (E.isLeft(named)) return named;
    const input = named.right;
    const decide = directory.decide[type](input);
    const decided = await decide();
    if (E.isLeft(decided)) return E.left(locateAtSubject(decided.left));
    const { changes, versionChecks = [], result: change } = decided.right;
    const asSent = resource as SentResource;
    const refusal =
      change.before === null || changes.length === 0
        ? null
        : findRefusal(change.before, change.entry, asSent, updates);
    const isChanged = changes.length > 0 && refusal === null;
    return E.right({
      changes: isChanged ? changes : [],
      versionChecks,
      result: {
        countedAs: isChanged ? 'imported' : 'unchanged',
        issues: [...issues, ...checkDates(type, asSent, { now: now(), zone }), ...(refusal ?? [])],
        lostElements: findLostElements(resource, toSource[type](change.entry), type),
        ...(isMemberType(type) && { member: { type, id: input.id, isNew: change.before === null } }),
      },
    });
  }),
});

/** Imports people, organizations and encounters into the directory. Known entries are changed. */
export const createDirectoryImports = (
  environment: Pick<Environment, 'now' | 'zone'>,
): Readonly<Record<ImportedEntryType, TypeImport>> => {
  const { Patient, Practitioner, Organization, Encounter } = createDirectorySourceReaders(environment);
  return {
    Patient: createEntryImport('Patient', Patient, environment),
    Practitioner: createEntryImport('Practitioner', Practitioner, environment, [
      { version: 'DSTU2', element: 'name', inR4: 'a list of names', isIn: hasOneName },
    ]),
    Organization: createEntryImport('Organization', Organization, environment),
    Encounter: createEntryImport('Encounter', Encounter, environment, [
      { version: 'DSTU2', element: 'patient', inR4: 'subject' },
    ]),
  };
};
