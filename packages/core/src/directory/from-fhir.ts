import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { foreign, foreignReferenceTo } from '../fhir/foreign.ts';
import { idIn } from '../fhir/reference.ts';
import type { DirectoryInput } from './model.ts';

const humanName = z.object({
  use: z.string().optional(),
  text: foreign.text.optional(),
  family: foreign.text.optional(),
  given: z.array(foreign.text).optional(),
});

const person = z.object({
  id: foreign.id,
  name: z.array(humanName).min(1),
  meta: z.object({ lastUpdated: z.iso.datetime({ offset: true }).optional() }).optional(),
});

const namesOf = (names: readonly z.infer<typeof humanName>[]) => {
  const name =
    names.find(({ use }) => use === 'official') ?? names.find(({ use }) => use !== 'old') ?? names[0];
  return { lastName: name?.family ?? name?.text ?? '', firstName: name?.given?.[0] ?? '' };
};

const organization = z.object({ id: foreign.id, name: foreign.text });
const encounter = z.object({ id: foreign.id, subject: foreignReferenceTo('Patient') });

type Reading<Type extends keyof DirectoryInput> = (
  resource: unknown,
) => E.Either<ClinicalError, DirectoryInput[Type]>;

const reading =
  <A, B>(schema: z.ZodType<A>, type: string, entry: (resource: A) => B) =>
  (resource: unknown): E.Either<ClinicalError, B> =>
    pipe(parseBody(schema, type)(resource, 'lenient'), E.map(entry));

/** What the directory keeps of the resources of another system. */
export const directoryFromFhir: { readonly [Type in Exclude<keyof DirectoryInput, 'Note'>]: Reading<Type> } =
  {
    Patient: reading(person, 'Patient', ({ id, name, meta }) => ({
      id,
      ...namesOf(name),
      ...(meta?.lastUpdated !== undefined && { lastModified: meta.lastUpdated }),
    })),
    Practitioner: reading(person, 'Practitioner', ({ id, name }) => ({ id, ...namesOf(name) })),
    Organization: reading(organization, 'Organization', ({ id, name }) => ({ id, name })),
    Encounter: reading(encounter, 'Encounter', ({ id, subject }) => ({
      id,
      patientId: idIn(subject),
    })),
  };
