import { z } from 'zod';
import { dateTime } from '../fhir/date-time.ts';
import { text, textOrEmpty } from '../fhir/element.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { id } from '../fhir/reference.ts';
import { parseTeamId } from './team-id.ts';

const instantText = z.iso.datetime({ offset: true });

/** A `Date` is converted immediately, because the caller can still change it. */
const instant = z.union([
  z.date().transform((date) => date.toISOString()),
  z.string().refine((sent) => instantText.safeParse(sent).success, {
    params: { rule: 'time-offset' satisfies BodyRule },
  }),
]);

/** Ids of care teams may end in a dot and a status: a patient's id that did so would name another patient's team. */
const patientId = id.refine((value) => parseTeamId(value).suffix === null, {
  params: { rule: 'patient-id' satisfies BodyRule },
});

/** Null, as a column of a database has it, means the same as none. */
const firstName = textOrEmpty.nullish();

/** The properties of a host's people, encounters and notes that the directory needs. */
const schemas = {
  Patient: z.strictObject({
    id: patientId,
    lastName: text,
    firstName,
    lastModified: instant.optional(),
  }),
  Practitioner: z.strictObject({ id, lastName: text, firstName }),
  Organization: z.strictObject({ id, name: text }),
  Encounter: z.strictObject({ id, patientId, noteId: id.optional() }),
  Note: z.strictObject({
    id,
    patientId,
    encounterId: id.optional(),
    title: text.optional(),
    dateOfService: dateTime.optional(),
  }),
};

/** The type of a directory entry: `Patient`, `Practitioner`, `Organization`, `Encounter` or `Note`. @useDeclaredType */
export type DirectoryType = keyof typeof schemas;

export const memberTypes = ['Practitioner', 'Organization'] as const;

/** The types of entries that can be members of a care team. */
export type MemberType = (typeof memberTypes)[number];

/**
 * An entry as a host puts it.
 *
 * `If-Unmodified-Since` is compared with a patient's `lastModified` while the patient's care team has no participants of any
 * status. If it is omitted, it stays unchanged, or is the time of the `put` that brings a new name.
 *
 * A patient or a practitioner without a `firstName`, or with null, has an empty one, and is shown by the last name. A name that
 * is not divided is a `lastName`.
 *
 * `noteId` of an encounter is the id of its note, which need not be in the directory yet. If an encounter has no note, the
 * first immunization that is staged or recorded for it creates one with a new id.
 */
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

/** An entry as it is kept. */
export type DirectoryEntry = {
  /** `lastModified` in milliseconds since 1970 in UTC. */
  readonly Patient: {
    readonly id: string;
    readonly lastName: string;
    readonly firstName: string;
    readonly lastModified: number;
  };
  readonly Practitioner: { readonly id: string; readonly lastName: string; readonly firstName: string };
  readonly Organization: { readonly id: string; readonly name: string };
  /** `noteId`: the note of the encounter, as soon as there is one. */
  readonly Encounter: { readonly id: string; readonly patientId: string; readonly noteId: string | null };
  readonly Note: {
    readonly id: string;
    readonly patientId: string;
    readonly encounterId: string | null;
    readonly title: string | null;
    readonly dateOfService: string | null;
  };
};

/** The name under which a practitioner or an organization is shown in a resource. */
export const displayOf = (entry: DirectoryEntry['Practitioner' | 'Organization']): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');
