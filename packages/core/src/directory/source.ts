import * as z from 'zod';
import type { Environment } from '../environment.ts';
import type { Issue } from '../errors.ts';
import { essential, isBlank } from '../fhir/element.ts';
import type { Identifier } from '../fhir/identifier.ts';
import { type BodyRule, leftOutIssue } from '../fhir/issues.ts';
import { isObject } from '../fhir/schema.ts';
import {
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  locateNowInPeriod,
  type SentResource,
  type SourceReader,
  type SourceReading,
  sourceElements,
} from '../fhir/source-resource.ts';
import {
  type DirectoryInput,
  directoryIssue,
  entryElements,
  maxIdentifiers,
  patientElements,
} from './model.ts';

const humanNameSchema = z.object({
  use: z.string().optional(),
  text: sourceElements.text.optional(),
  family: sourceElements.text.optional(),
  // Null stands for a name of which there are only extensions. Source: FHIR R4, JSON, 2.6.2.3.
  given: z.array(sourceElements.text.nullable()).optional(),
  period: sourceElements.period.optional(),
});

/** Of several names, the one whose use is first here is shown. Source: FHIR R4, NameUse, where maiden names are old ones. */
const nameUses = ['official', 'usual', undefined, 'nickname', 'temp', 'anonymous', 'maiden', 'old'];

type SourceName = z.infer<typeof humanNameSchema>;

const givenNameOf = ({ given = [] }: SourceName) => given.find((name) => name !== null);

/** A name that is not divided is a last name. */
const lastNameOf = (name: SourceName) => name.family ?? name.text ?? givenNameOf(name);

/** A patient or a practitioner. */
const personSchema = z.object({
  id: sourceElements.id,
  name: z.array(humanNameSchema).optional(),
  meta: z
    .object({ lastUpdated: z.iso.datetime({ offset: true }).optional() })
    .optional()
    .catch(undefined),
  link: z
    .array(z.object({ type: z.string().optional() }))
    .optional()
    .catch(undefined),
  active: z.unknown().optional(),
});

type SourcePersonResource = z.infer<typeof personSchema>;

/** The last name that is shown of a person without a name: whose name is masked, for example. */
export const noName = '(no name)';

/** The name to show, of those whose time it is if there are any. */
const readName = ({ name: names = [] }: SourcePersonResource, isCurrent: (name: SourceName) => boolean) => {
  const usableNames = names.filter((name) => lastNameOf(name) !== undefined);
  const current = usableNames.filter(isCurrent);
  const candidates = current.length > 0 ? current : usableNames;
  const name = nameUses.flatMap((shown) => candidates.filter(({ use }) => use === shown))[0] ?? candidates[0];
  if (name === undefined) return { lastName: noName, firstName: '' };
  const firstName = name.family === undefined ? '' : (givenNameOf(name) ?? '');
  return { lastName: lastNameOf(name) ?? '', firstName };
};

const organizationSchema = z.object({
  id: sourceElements.id,
  name: sourceElements.text,
  active: z.unknown().optional(),
});
const encounterSchema = z.object({
  id: sourceElements.id,
  status: essential(
    z
      .unknown()
      .refine((status) => status !== 'entered-in-error', {
        params: { rule: 'entered-in-error' satisfies BodyRule },
      })
      .optional(),
  ),
  subject: createSourceIdSchema('Patient'),
});

type EntryElements = { readonly identifier?: readonly Identifier[] };

type PatientElements = EntryElements &
  Pick<DirectoryInput['Patient'], 'birthDate' | 'gender'> & {
    readonly deceasedBoolean?: boolean;
    readonly deceasedDateTime?: string;
  };

/** Reads the elements of a type that are stored as they were sent. Of too many identifiers, the first are read. */
const createEntryReader = <Elements extends EntryElements>(type: string, group: z.ZodRawShape) => {
  const read = createElementReader<Elements>(type, group);
  return (sent: SentResource): SourceReading<Elements> => {
    const { value, issues } = read(sent);
    const { identifier = [] } = value;
    if (identifier.length <= maxIdentifiers) return { value, issues };
    return {
      value: { ...value, identifier: identifier.slice(0, maxIdentifiers) },
      issues: [...issues, leftOutIssue(`${type}.identifier[${maxIdentifiers}]`)],
    };
  };
};

const readPatientElements = createEntryReader<PatientElements>('Patient', patientElements);
const readPractitionerElements = createEntryReader('Practitioner', entryElements);
const readOrganizationElements = createEntryReader('Organization', entryElements);

const checkName = (type: 'Patient' | 'Practitioner', { lastName }: { readonly lastName: string }) =>
  lastName === noName ? [directoryIssue('no-name', `${type}.name`)] : [];

/** A flag that was sent as a text says the same. */
const checkActive = (element: `${string}.active`, active: unknown) =>
  String(active) === 'false' ? [directoryIssue('inactive', element)] : [];

/** Whether a time of death says that there was one, whatever its form. */
const saysDeath = (time: unknown): boolean =>
  time !== undefined && time !== null && time !== false && !isBlank(String(time));

/** The element that says that a patient has died, in a form that cannot be read; undefined if there is none. */
const findUnreadableDeath = (
  sent: SentResource,
  { deceasedBoolean, deceasedDateTime }: PatientElements,
): string | undefined => {
  if (deceasedDateTime !== undefined) return undefined;
  if (saysDeath(sent.deceasedDateTime)) return 'Patient.deceasedDateTime';
  if (deceasedBoolean === true) return undefined;
  return sent.deceasedBoolean === 'true' ? 'Patient.deceasedBoolean' : undefined;
};

/** Whether or when a patient has died. Without the element that cannot be read, a dead patient would be read as a living one. */
const readDeath = (
  sent: SentResource,
  elements: PatientElements,
  issues: readonly Issue[],
): SourceReading<boolean | string | undefined> => {
  const { deceasedBoolean, deceasedDateTime = deceasedBoolean } = elements;
  const unreadable = findUnreadableDeath(sent, elements);
  if (unreadable === undefined) return { value: deceasedDateTime, issues };
  const others = issues.filter(({ expression }) => expression !== unreadable);
  return { value: true, issues: [...others, directoryIssue('unreadable-death', unreadable)] };
};

const withoutIssues = <A>(value: A): SourceReading<A> => ({ value, issues: [] });

/** Whether a practitioner has a name as in DSTU2, where R4 has a list of names. */
export const hasOneName = ({ name }: SentResource): boolean => isObject(name);

/** Reads the directory entries from a source's resources. */
export const createDirectorySourceReaders = ({
  now,
  zone,
}: Pick<Environment, 'now' | 'zone'>): {
  readonly [Type in Exclude<keyof DirectoryInput, 'Note'>]: SourceReader<DirectoryInput[Type]>;
} => {
  const isCurrent = ({ use, period }: SourceName) =>
    use !== 'old' && use !== 'maiden' && locateNowInPeriod({ now: now(), zone })(period) === 'within';
  const readCurrentName = (person: SourcePersonResource) => readName(person, isCurrent);
  /** Never ahead, where it would date whatever is done to the patient's team. */
  const omitFuture = (instant: string | undefined) =>
    instant !== undefined && Date.parse(instant) <= now() ? instant : undefined;
  return {
    Patient: createSourceReader(personSchema, 'Patient', (patient, sent) => {
      const { value, issues } = readPatientElements(sent);
      const { deceasedBoolean, deceasedDateTime, ...elements } = value;
      const death = readDeath(sent, value, issues);
      const name = readCurrentName(patient);
      return {
        value: {
          id: patient.id,
          ...name,
          lastModified: omitFuture(patient.meta?.lastUpdated),
          ...elements,
          deceased: death.value,
        },
        issues: [
          ...checkName('Patient', name),
          ...(patient.link?.some(({ type }) => type === 'replaced-by')
            ? [directoryIssue('replaced', 'Patient.link')]
            : []),
          ...checkActive('Patient.active', patient.active),
          ...death.issues,
        ],
      };
    }),
    Practitioner: createSourceReader(
      personSchema,
      'Practitioner',
      (practitioner, sent) => {
        const { value, issues } = readPractitionerElements(sent);
        const name = readCurrentName(practitioner);
        return {
          value: { id: practitioner.id, ...name, ...value },
          issues: [
            ...checkName('Practitioner', name),
            ...checkActive('Practitioner.active', practitioner.active),
            ...issues,
          ],
        };
      },
      { isOtherVersion: hasOneName },
    ),
    Organization: createSourceReader(organizationSchema, 'Organization', ({ id, name, active }, sent) => {
      const { value, issues } = readOrganizationElements(sent);
      return {
        value: { id, name, ...value },
        issues: [...checkActive('Organization.active', active), ...issues],
      };
    }),
    Encounter: createSourceReader(encounterSchema, 'Encounter', ({ id, subject }) =>
      withoutIssues({ id, patientId: subject }),
    ),
  };
};
