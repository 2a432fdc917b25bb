import { z } from 'zod';
import type { Environment } from '../environment.ts';
import {
  type Foreign,
  type ForeignReading,
  foreign,
  foreignIdOf,
  foreignReading,
  nowInPeriod,
} from '../fhir/foreign.ts';
import { directoryFault } from './faults.ts';
import type { DirectoryInput } from './model.ts';

const humanName = z.object({
  use: z.string().optional(),
  text: foreign.text.optional(),
  family: foreign.text.optional(),
  // Null stands for a name of which there are only extensions. Source: FHIR R4, JSON, 2.6.2.3.
  given: z.array(foreign.text.nullable()).optional(),
  // It only chooses between names: one that cannot be read costs nobody the whole patient.
  period: foreign.period.optional().catch(undefined),
});

/** Of several names, the one whose use stands in front is shown. Source: FHIR R4, NameUse, where maiden names are old ones. */
const uses = ['official', 'usual', undefined, 'nickname', 'temp', 'anonymous', 'maiden', 'old'];

type HumanName = z.infer<typeof humanName>;

const givenIn = ({ given = [] }: HumanName) => given.find((name) => name !== null);

/** A name that is not divided is a last name. */
const lastNameIn = (name: HumanName) => name.family ?? name.text ?? givenIn(name);

/** Somebody with a name at least: a patient or a practitioner. */
const person = z.object({
  id: foreign.id,
  name: z.array(humanName).refine((names) => names.some((name) => lastNameIn(name) !== undefined)),
  meta: z
    .object({ lastUpdated: z.iso.datetime({ offset: true }).optional() })
    .optional()
    .catch(undefined),
  link: z
    .array(z.object({ type: z.string().optional() }))
    .optional()
    .catch(undefined),
  active: z.unknown().optional(),
  deceasedBoolean: z.unknown().optional(),
  deceasedDateTime: z.unknown().optional(),
});

type Person = z.infer<typeof person>;

/** The name to show, of those whose time it is if there are any. */
const namesOf = ({ name: names }: Person, isCurrent: (name: HumanName) => boolean) => {
  const named = names.filter((name) => lastNameIn(name) !== undefined);
  const current = named.filter(isCurrent);
  const among = current.length > 0 ? current : named;
  const name = uses.flatMap((shown) => among.filter(({ use }) => use === shown))[0] ?? among[0];
  if (name === undefined) return { lastName: '', firstName: '' };
  const firstName = name.family === undefined ? '' : (givenIn(name) ?? '');
  return { lastName: lastNameIn(name) ?? '', firstName };
};

const organization = z.object({ id: foreign.id, name: foreign.text, active: z.unknown().optional() });
const encounter = z.object({
  id: foreign.id,
  status: z
    .unknown()
    .refine((status) => status !== 'entered-in-error')
    .optional(),
  subject: foreignIdOf('Patient'),
});

const faultsOfUse = (element: `${string}.active`, active: unknown) =>
  active === false ? [directoryFault('inactive', element)] : [];

const whole = <A>(read: A): Foreign<A> => ({ read, faults: [] });

/** What the directory keeps of the resources of another system. */
export const directoryFromFhir = ({
  now,
  zone,
}: Pick<Environment, 'now' | 'zone'>): {
  readonly [Type in Exclude<keyof DirectoryInput, 'Note'>]: ForeignReading<DirectoryInput[Type]>;
} => {
  const isCurrent = ({ use, period }: HumanName) =>
    use !== 'old' && use !== 'maiden' && nowInPeriod({ now: now(), zone })(period) === 'within';
  const names = (person: Person) => namesOf(person, isCurrent);
  /** Never ahead, where it would date whatever is done to the patient's team. */
  const past = (instant: string | undefined) =>
    instant !== undefined && Date.parse(instant) <= now() ? instant : undefined;
  return {
    Patient: foreignReading(person, 'Patient', (patient) => ({
      read: {
        id: patient.id,
        ...names(patient),
        lastModified: past(patient.meta?.lastUpdated),
      },
      faults: [
        ...(patient.link?.some(({ type }) => type === 'replaced-by')
          ? [directoryFault('replaced', 'Patient.link')]
          : []),
        ...faultsOfUse('Patient.active', patient.active),
        ...(patient.deceasedBoolean === true || typeof patient.deceasedDateTime === 'string'
          ? [directoryFault('deceased', 'Patient.deceased')]
          : []),
      ],
    })),
    Practitioner: foreignReading(person, 'Practitioner', (practitioner) =>
      whole({ id: practitioner.id, ...names(practitioner) }),
    ),
    Organization: foreignReading(organization, 'Organization', ({ id, name, active }) => ({
      read: { id, name },
      faults: faultsOfUse('Organization.active', active),
    })),
    Encounter: foreignReading(encounter, 'Encounter', ({ id, subject }) => whole({ id, patientId: subject })),
  };
};
