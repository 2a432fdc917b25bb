import * as z from 'zod';
import { named, type SchemaOutput } from '../fhir/schema.ts';
import { type GoalTarget, targetElements } from './elements.ts';

/** The extension with a target of a goal beyond the one that the HTTP interface has. */
export const furtherTargetUrl = (extensionBase: string): `${string}/further-target` =>
  `${extensionBase}/further-target`;

/** The extension within it, and its value, for each element of a target. A value of an extension cannot be a whole target. */
const parts = {
  measure: { url: 'measure', value: 'valueCodeableConcept' },
  detailQuantity: { url: 'detail', value: 'valueQuantity' },
  detailRange: { url: 'detail', value: 'valueRange' },
  detailCodeableConcept: { url: 'detail', value: 'valueCodeableConcept' },
  detailString: { url: 'detail', value: 'valueString' },
  detailBoolean: { url: 'detail', value: 'valueBoolean' },
  detailInteger: { url: 'detail', value: 'valueInteger' },
  detailRatio: { url: 'detail', value: 'valueRatio' },
  dueDate: { url: 'due', value: 'valueDate' },
  dueDuration: { url: 'due', value: 'valueDuration' },
} as const satisfies Record<keyof GoalTarget, object>;

const partNames = Object.keys(parts) as (keyof GoalTarget)[];

const partSchema = z.object({
  /** The element of the target: `measure`, `detail` or `due`. */
  url: z.enum(['measure', 'detail', 'due']),
  valueCodeableConcept: targetElements.measure,
  valueQuantity: targetElements.detailQuantity,
  valueRange: targetElements.detailRange,
  valueString: targetElements.detailString,
  valueBoolean: targetElements.detailBoolean,
  valueInteger: targetElements.detailInteger,
  valueRatio: targetElements.detailRatio,
  valueDate: targetElements.dueDate,
  valueDuration: targetElements.dueDuration,
});

/** A part of a further target: what is measured, the value to reach, or when it is due. */
export interface TargetPartExtension extends SchemaOutput<typeof partSchema> {}

export const furtherTargetSchema = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/further-target`. */
    url: z.literal(furtherTargetUrl(extensionBase)),
    extension: z.array(named<TargetPartExtension>(partSchema)),
  });

/** A target of a goal beyond the first. */
export interface FurtherTargetExtension extends SchemaOutput<ReturnType<typeof furtherTargetSchema>> {}

/** A target as an extension shows it. */
export const toFurtherTarget = (extensionBase: string, target: GoalTarget): FurtherTargetExtension => ({
  url: furtherTargetUrl(extensionBase),
  extension: partNames.flatMap((name): readonly TargetPartExtension[] =>
    target[name] === undefined ? [] : [{ url: parts[name].url, [parts[name].value]: target[name] }],
  ),
});

/** The target that an extension shows, as it was sent. */
export const readFurtherTarget = (extension: unknown): Readonly<Record<string, unknown>> => {
  const sent = [(extension as { readonly extension?: unknown } | null)?.extension ?? []].flat();
  return Object.fromEntries(
    sent.flatMap((part) => {
      const { url, ...values } = (part ?? {}) as Readonly<Record<string, unknown>>;
      const name = partNames.find((one) => parts[one].url === url && values[parts[one].value] !== undefined);
      return name === undefined ? [] : [[name, values[parts[name].value]]];
    }),
  );
};
