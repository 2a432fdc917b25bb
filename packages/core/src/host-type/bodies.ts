import * as z from 'zod';
import type { ResourceLabels } from '../fhir/common-elements.ts';
import { inputCommonElements, outputCommonElements } from '../fhir/common-elements.ts';
import { element, oneOf, unstoredResourceElements } from '../fhir/element.ts';
import type { Identifier } from '../fhir/identifier.ts';
import { createReference, id, readReferenceId } from '../fhir/reference.ts';
import type { JsonObject } from '../fhir/schema.ts';
import { createElementStorer } from '../fhir/stored-element.ts';
import type { AnyHostTypeSpec, Shape } from './model.ts';

/** A body that has been checked. */
export type SentBody = JsonObject & {
  readonly id: string;
  readonly meta?: ResourceLabels | undefined;
  readonly identifier?: readonly Identifier[] | undefined;
};

/** The schemas of a type, and how its elements are stored. */
export type HostBodies = ReturnType<typeof createBodies>;

/** The elements of each choice of a type, in their order. */
export const choicesOf = ({
  elements,
  choices,
}: Pick<AnyHostTypeSpec, 'elements' | 'choices'>): readonly (readonly string[])[] =>
  choices.map((choice) => {
    const name = choice.slice(0, -'[x]'.length);
    return Object.keys(elements).filter(
      (element) => element.startsWith(name) && /^[A-Z]/.test(element.slice(name.length)),
    );
  });

export const createBodies = (spec: AnyHostTypeSpec) => {
  const { type, patient, elements, unstored = [] } = spec;
  const shape = { resourceType: z.literal(type).optional(), ...inputCommonElements, ...elements };
  const notStored = [...unstoredResourceElements, ...unstored];
  const store = createElementStorer<JsonObject>(elements);
  const bodyOf = (of: Shape): z.ZodType<SentBody> =>
    choicesOf(spec).reduce(
      (schema, names) => oneOf(schema, ...names),
      element(of, notStored) as z.ZodType<SentBody>,
    );
  return {
    create: bodyOf(shape),
    update: bodyOf({ id, ...shape }),
    /** The resource as it is read. */
    resource: z.object({
      resourceType: z.literal(type),
      id: z.string(),
      ...outputCommonElements,
      ...elements,
    }),
    /** The elements of a body as they are stored: of the patient only the reference, as the name may change. */
    elementsOf: (sent: JsonObject): JsonObject => {
      const reference = sent[patient] as { readonly reference: string };
      return store({ ...sent, [patient]: createReference('Patient', readReferenceId(reference)) }) ?? {};
    },
  };
};
