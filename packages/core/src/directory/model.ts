import * as z from 'zod';
import { createIssueFactory, type Issue } from '../errors.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { isBlank, isShort, shortRule, shortText, textOrEmpty } from '../fhir/element.ts';
import { type Identifier, identifier } from '../fhir/identifier.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { id } from '../fhir/reference.ts';
import { isOneOf, walkObjects } from '../fhir/schema.ts';
import { toStoredElement } from '../fhir/stored-element.ts';
import type { ImportMark } from '../records/transact.ts';

/** The statuses that a participant can have. Source: docs/http-interface.md#careteam. */
export const participantStatuses = [
  'proposed',
  'active',
  'suspended',
  'inactive',
  'entered-in-error',
] as const;

/** The status of a participant, and of the care team that shows those who have it. @useDeclaredType */
export type ParticipantStatus = (typeof participantStatuses)[number];

/** The parts of a care team's id: the patient, and the status of the participants if the id has one. */
export type TeamId = { readonly patientId: string; readonly suffix: ParticipantStatus | null };

/** An id that is not a string has no suffix. No team has such an id. */
export const parseTeamId = (id: string): TeamId => {
  const suffix = `${id}`.includes('.')
    ? participantStatuses.find((status) => id.endsWith(`.${status}`))
    : undefined;
  return suffix === undefined
    ? { patientId: id, suffix: null }
    : { patientId: id.slice(0, -suffix.length - 1), suffix };
};

/** The id of the care team of a status. Source: docs/http-interface.md#careteam. */
export const teamId = (patientId: string, status: ParticipantStatus): string =>
  status === 'active' ? patientId : `${patientId}.${status}`;

const instantTextSchema = z.iso.datetime({ offset: true });

/** A `Date` is converted immediately, because the caller can still change it. It may be after the year 9999. */
const instantSchema = z
  .union([z.date().transform((date) => date.toISOString()), z.string()])
  .refine((time) => instantTextSchema.safeParse(time).success, {
    params: { rule: 'time-offset' satisfies BodyRule },
  });

/** Ids of care teams may end in a dot and a status: a patient's id that did so would name another patient's team. */
const patientIdSchema = id.refine((value) => parseTeamId(value).suffix === null, {
  params: { rule: 'patient-id' satisfies BodyRule },
});

/** Null or blank, as a column of a database has it, means the same as none. */
const firstNameSchema = textOrEmpty
  .refine(isShort, shortRule)
  .transform((name) => (isBlank(name) ? '' : name))
  .nullish();

const personName = {
  /** The last name, or the whole name if it is not divided. */
  lastName: shortText,
  /** The first name. If it is omitted, null or blank, the person is shown by the last name. */
  firstName: firstNameSchema,
};

/** The most identifiers of an entry. */
export const maxIdentifiers = 100;

/** The most characters of an identifier as JSON. */
const maxElement = 10_000;

const hasShortTexts = (element: object): boolean =>
  walkObjects(element).every((part) =>
    Object.values(part).every((value) => typeof value !== 'string' || isShort(value)),
  );

/** An identifier that fits into an entry. */
const entryIdentifier = identifier
  .refine(hasShortTexts, shortRule)
  .refine((element) => JSON.stringify(element).length <= maxElement, {
    params: { rule: 'element-length' satisfies BodyRule },
  }) as z.ZodType<Identifier, Identifier>;

/** The genders that FHIR has for administrative purposes. Source: FHIR R4, ValueSet AdministrativeGender. */
export const genders = ['male', 'female', 'other', 'unknown'] as const;

/** A gender of FHIR's `AdministrativeGender`. @useDeclaredType */
export type Gender = (typeof genders)[number];

/** The elements of other systems that distinguish practitioners, and organizations, of the same name. */
export const entryElements = {
  identifier: z.array(entryIdentifier).max(maxIdentifiers).optional(),
};

/** The same of patients. */
export const patientElements = {
  ...entryElements,
  birthDate: date.optional(),
  gender: z.enum(genders).optional(),
  deceasedBoolean: z.boolean().optional(),
  deceasedDateTime: dateTime.optional(),
};

const deceasedSchema = z
  .union([z.boolean(), z.date().transform((time) => time.toISOString()), z.string()])
  .refine((value) => typeof value === 'boolean' || dateTime.safeParse(value).success, {
    params: { rule: 'date-time' satisfies BodyRule },
  });

const identified = {
  /**
   * Numbers or texts by which people and other systems know it, as FHIR's `Identifier`. If they are omitted, they stay unchanged;
   * null or an empty array removes them.
   */
  identifier: z
    .array(entryIdentifier)
    .max(maxIdentifiers)
    .readonly()
    .transform((sent) => toStoredElement(sent))
    .nullish(),
};

/** The properties of a host's people, encounters and notes that the directory needs. */
const schemas = {
  Patient: z.strictObject({
    /** The id of the patient. */
    id: patientIdSchema,
    ...personName,
    /**
     * When the patient was last modified: a Date, or a text with its offset. `If-Unmodified-Since` is compared with it while
     * the patient's care team has no participants of any status. If it is omitted, it stays unchanged, or is the time of the
     * `put` that brings a new name.
     */
    lastModified: instantSchema.optional(),
    /** The date of birth: a FHIR `date`. If it is omitted, it stays unchanged; null removes it. */
    birthDate: date.nullish(),
    /** The gender for administrative purposes. If it is omitted, it stays unchanged; null removes it. */
    gender: z.enum(genders).nullish(),
    /**
     * Whether the patient has died, or when: a FHIR `dateTime`, or a Date. If it is omitted, it stays unchanged; null removes it.
     */
    deceased: deceasedSchema.nullish(),
    ...identified,
  }),
  Practitioner: z.strictObject({
    /** The id of the practitioner. */
    id,
    ...personName,
    ...identified,
  }),
  Organization: z.strictObject({
    /** The id of the organization. */
    id,
    name: shortText,
    ...identified,
  }),
  Encounter: z.strictObject({
    /** The id of the encounter. */
    id,
    /** The id of the patient. */
    patientId: patientIdSchema,
    /**
     * The id of the encounter's note, which need not be in the directory yet. If there is none, the first immunization that
     * is staged or recorded for the encounter creates a note with a new id.
     */
    noteId: id.optional(),
  }),
  Note: z.strictObject({
    /** The id of the note. */
    id,
    /** The id of the patient. */
    patientId: patientIdSchema,
    /** The id of the encounter of the note. */
    encounterId: id.optional(),
    title: shortText.optional(),
    /** When the service was given: a FHIR `dateTime`. */
    dateOfService: dateTime.optional(),
  }),
};

/** The type of a directory entry: `Patient`, `Practitioner`, `Organization`, `Encounter` or `Note`. @useDeclaredType */
export type DirectoryType = keyof typeof schemas;

export const directoryTypes = Object.keys(schemas) as readonly DirectoryType[];

export const memberTypes = ['Practitioner', 'Organization'] as const;

/** The types of entries that can be members of a care team. */
export type MemberType = (typeof memberTypes)[number];

export const isMemberType = isOneOf(memberTypes);

/** An entry as a host puts it, by its type. */
export type DirectoryInput = { [Type in DirectoryType]: z.input<(typeof schemas)[Type]> };

export const entrySchemas: { readonly [Type in DirectoryType]: z.ZodType<DirectoryInput[Type]> } = schemas;

/** Picks the properties of an entry from a host's own record. The record may have more properties, and null for missing ones. */
export const pickEntry = (type: DirectoryType, record: object): object =>
  Object.fromEntries(
    Object.keys(schemas[type].shape).map((name): [string, unknown] => [
      name,
      Reflect.get(record, name) ?? undefined,
    ]),
  );

/** Whether there can be an entry of that id. */
export const isEntryId = (type: DirectoryType, value: string): boolean =>
  schemas[type].shape.id.safeParse(value).success;

/** Of an entry that an import has written. */
export type WithImportMark = {
  /** When its source had changed it, where that was said, and whether it was changed here since: for the next import. */
  readonly imported?: ImportMark;
};

/** A practitioner as `directory.read` returns it. */
export type PractitionerEntry = WithImportMark & {
  readonly id: string;
  /** The last name, or the whole name if it is not divided. */
  readonly lastName: string;
  /** The first name; empty if there is none. */
  readonly firstName: string;
  /** Numbers or texts by which people and other systems know the practitioner. */
  readonly identifier?: readonly Identifier[];
};

/** A patient as `directory.read` returns it. */
export type PatientEntry = WithImportMark & {
  readonly id: string;
  /** The last name, or the whole name if it is not divided. */
  readonly lastName: string;
  /** The first name; empty if there is none. */
  readonly firstName: string;
  /** When the patient was last modified, in milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The date of birth: a FHIR `date`. */
  readonly birthDate?: string;
  /** The gender for administrative purposes. */
  readonly gender?: Gender;
  /** Whether the patient has died, or when: a FHIR `dateTime`. */
  readonly deceased?: boolean | string;
  /** Numbers or texts by which people and other systems know the patient. */
  readonly identifier?: readonly Identifier[];
  /** The id of the patient into whom this one was merged. That patient has the chart. */
  readonly replacedBy?: string;
};

/** An organization as `directory.read` returns it. */
export type OrganizationEntry = WithImportMark & {
  readonly id: string;
  readonly name: string;
  /** Numbers or texts by which people and other systems know the organization. */
  readonly identifier?: readonly Identifier[];
};

/** An encounter as `directory.read` returns it. */
export type EncounterEntry = {
  readonly id: string;
  readonly patientId: string;
  /** The id of the note of the encounter; null until there is one. */
  readonly noteId: string | null;
};

/** A note as `directory.read` returns it. */
export type NoteEntry = {
  readonly id: string;
  readonly patientId: string;
  /** The id of the encounter of the note; null if there is none. */
  readonly encounterId: string | null;
  /** The title; null if there is none. */
  readonly title: string | null;
  /** When the service was given: a FHIR `dateTime`; null if that is not known. */
  readonly dateOfService: string | null;
  /** Only without an encounter: the ids of the immunizations that were put into the note, and get its encounter. */
  readonly immunizationIds?: readonly string[];
};

/** An entry as it is kept, by its type. */
export type DirectoryEntry = {
  readonly Patient: PatientEntry;
  readonly Practitioner: PractitionerEntry;
  readonly Organization: OrganizationEntry;
  readonly Encounter: EncounterEntry;
  readonly Note: NoteEntry;
};

/** The name under which a practitioner or an organization is shown in a resource. */
export const displayOf = (entry: DirectoryEntry['Practitioner' | 'Organization']): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');

export const directoryIssues = {
  'unknown-patient': 'There is no such patient.',
  'unknown-practitioner': 'There is no such practitioner.',
  'unknown-organization': 'There is no such organization.',
  'unknown-encounter': 'There is no such encounter.',
  'unknown-note': 'There is no such note.',
  'replaced-patient': 'The patient was merged into another one, which `Patient.link` names.',
  'encounter-of-another-patient': 'The encounter belongs to another patient.',
  'note-of-another-patient': 'The note belongs to another patient.',
  replaced: 'The source system has replaced this record with another. It was imported anyway.',
  'no-name': 'The person has no name here, and is shown as (no name).',
  'unreadable-death':
    'The element that says when the patient died cannot be read. The patient was imported as deceased.',
  inactive: 'The source system has marked the record as inactive. It was imported anyway.',
  'note-of-another-encounter': 'The note belongs to another encounter, or the encounter has another note.',
} as const;

export type DirectoryRule = keyof typeof directoryIssues;

export const directoryIssue = createIssueFactory(directoryIssues);

const unknownEntryRules = {
  Patient: 'unknown-patient',
  Practitioner: 'unknown-practitioner',
  Organization: 'unknown-organization',
  Encounter: 'unknown-encounter',
  Note: 'unknown-note',
} as const satisfies Record<DirectoryType, DirectoryRule>;

/** The issue of a reference to an entry that does not exist. */
export const unknownEntryIssue = (type: DirectoryType, expression?: string): Issue<DirectoryRule> =>
  directoryIssue(unknownEntryRules[type], expression);
