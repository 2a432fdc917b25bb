import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type DirectoryEntry, type DirectoryInput, isMemberType } from '../directory/model.ts';
import { deriveDirectoryResource } from '../directory/resources.ts';
import { createDirectorySourceReaders, hasOneName, noName } from '../directory/source.ts';
import type { Environment } from '../environment.ts';
import { type Outcome, relocateIssues } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { isOneOf } from '../fhir/schema.ts';
import { readLastUpdated, type SentResource, type SourceReader } from '../fhir/source-resource.ts';
import { type ImportMark, isSameState, recordExists } from '../records/transact.ts';
import { describeMissing } from './identified-records.ts';
import { checkDates } from './implausible-dates.ts';
import { createImporterFromDecision, type ImportContext, type TypeImport } from './import-definition.ts';
import { findLostElements, findRemovedElements, importIssue } from './import-report.ts';
import type { OtherVersion } from './other-formats.ts';
import { decideRepeatedLoad, type RepeatedLoadResult } from './repeated-load.ts';

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

type ImportedEntry = DirectoryEntry[ImportedEntryType];

/** Whether two entries are the same but for what an import and the time of a change leave in them. */
const isSameEntry = (one: ImportedEntry, other: ImportedEntry): boolean => {
  const comparable = (entry: ImportedEntry) => ({ ...entry, lastModified: undefined, imported: undefined });
  return isSameState(comparable(one), comparable(other));
};

/** Whether an entry has all that a source says of it. */
const hasAll = (entry: ImportedEntry, sent: ImportedEntry): boolean =>
  isSameEntry({ ...entry, ...sent }, entry);

/** The mark of the last import. Of an encounter, only its patient is imported, and that stays. */
const markOf = (entry: ImportedEntry): ImportMark | undefined =>
  'imported' in entry ? entry.imported : undefined;

/** The results of a repeated load for which an entry stays as it is, but for what it lacks. */
const isCompleted = isOneOf(['changed-here', 'undated-change'] satisfies RepeatedLoadResult[]);

const createEntryImport = <Type extends ImportedEntryType>(
  type: Type,
  read: SourceReader<DirectoryInput[Type]>,
  { now, zone }: Pick<Environment, 'now' | 'zone'>,
  otherVersions: readonly OtherVersion[] = [],
): TypeImport => {
  const toShown = (entry: DirectoryEntry[Type]) => toSource[type](entry);

  /** Decides what a load makes of an entry, and says why it is not all that was sent. */
  const decideEntry = async (
    input: DirectoryInput[Type],
    asSent: SentResource,
    { directory, updates }: ImportContext,
  ) => {
    const put = directory.decide[type];
    const sent = readLastUpdated(asSent, now());
    const whole = await put(input, { mode: 'replace', imported: type === 'Encounter' ? null : sent })();
    if (E.isLeft(whole)) return whole;
    const { before, entry: sentEntry } = whole.right.result;
    const asWhole = E.right({ decision: whole.right, sentEntry, issues: [] });
    if (before === null) return asWhole;
    const result = decideRepeatedLoad({
      isSame: isSameEntry(before, sentEntry),
      isInError: { sent: false, known: false },
      ...{ sent, known: markOf(before), updates },
    });
    if (result === 'updated') return asWhole;
    const kept = isCompleted(result)
      ? await put(input, { mode: 'complete', imported: null })()
      : E.right({ changes: [], versionChecks: [], result: { before, entry: before } });
    if (E.isLeft(kept)) return kept;
    const decision = kept.right;
    const { entry } = decision.result;
    if (result === 'unchanged' || hasAll(entry, sentEntry))
      return E.right({ decision, sentEntry, issues: [] });
    const issue = importIssue(result);
    const message = issue.message + describeMissing(type, asSent, toShown(entry));
    return E.right({ decision, sentEntry, issues: [{ ...issue, message }] });
  };

  return {
    people: [],
    otherVersions,
    importResource: createImporterFromDecision(async (resource, context) => {
      const reading = read(resource);
      if (E.isLeft(reading)) return reading;
      const { value, issues } = reading.right;
      const named = await keepKnownName(type, value, context.directory);
      if (E.isLeft(named)) return named;
      const asSent = resource as SentResource;
      const decided = await decideEntry(named.right, asSent, context);
      if (E.isLeft(decided)) return E.left(locateAtSubject(decided.left));
      const { decision, sentEntry, issues: refused } = decided.right;
      const { changes, versionChecks = [] } = decision;
      const { before, entry } = decision.result;
      const isUpdated = before !== null && changes.length > 0;
      return E.right({
        ...{ changes, versionChecks },
        result: {
          countedAs: before === null ? 'imported' : isUpdated ? 'updated' : 'unchanged',
          issues: [...issues, ...checkDates(type, asSent, { now: now(), zone }), ...refused],
          lostElements: findLostElements(resource, toShown(sentEntry), type),
          ...(isUpdated && { removedElements: findRemovedElements(toShown(before), toShown(entry), type) }),
          ...(isMemberType(type) && { member: { type, id: entry.id, isNew: before === null } }),
        },
      });
    }),
  };
};

/** Imports people, organizations and encounters into the directory. One that exists is updated, or only completed. */
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
