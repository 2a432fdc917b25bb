import { z } from 'zod';
import { dateTime } from '../fhir/date-time.ts';
import { text, textOrEmpty } from '../fhir/element.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { id } from '../fhir/reference.ts';
import { parseTeamId } from './team-id.ts';

const instantText = z.iso.datetime({ offset: true });

/** A `Date` is read when it is given: whoever holds it may set it anew. */
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

/** What a host tells about its people, encounters and notes, as far as they are referred to. */
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

/** What the directory keeps: `Patient`, `Practitioner`, `Organization`, `Encounter` or `Note`. @useDeclaredType */
export type DirectoryType = keyof typeof schemas;

export const memberTypes = ['Practitioner', 'Organization'] as const;

/** The types of those who can take part in a care team. */
export type MemberType = (typeof memberTypes)[number];

/**
 * An entry as a host puts it.
 *
 * `lastModified` of a patient is what `If-Unmodified-Since` sees while nobody is in the patient's care team, in whatever
 * status. Left out, it stays what it was, or is the time of the `put` that brings a new name.
 *
 * A patient or a practitioner without a `firstName`, or with null, has an empty one, and is shown by the last name. A name that
 * is not divided is a `lastName`.
 *
 * `noteId` of an encounter is the note that it has, which need not be in the directory yet. An encounter that names none
 * is given one of a new id by the first immunization that is staged or recorded for it.
 */
export type DirectoryInput = { [Type in DirectoryType]: z.input<(typeof schemas)[Type]> };

export const entrySchemas: { readonly [Type in DirectoryType]: z.ZodType<DirectoryInput[Type]> } = schemas;

/** What of a host's own record is the entry: it may have more, and null for what it has not. */
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
