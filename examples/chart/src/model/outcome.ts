import type { OperationOutcome } from '@clinical-records/http-adapter';

/** The errors of a request: sentences by the field that they blame, and those that blame none. */
export type FieldErrors = {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly general: readonly string[];
};

/** A field of a form, and the elements that it fills in, such as `Immunization.vaccineCode`. */
export type FieldElements = Readonly<Record<string, RegExp>>;

/** The sentence of an issue. That of a key which was used before is for programs. */
const sentenceOf = ({ details, diagnostics }: OperationOutcome['issue'][number]): string =>
  details.coding[0]?.code === 'idempotency-key-reused'
    ? 'The first request was recorded, although its response was lost. Look at it in the chart before you record more.'
    : diagnostics;

/** Sorts the issues of an outcome by the fields of a form. */
export const errorsByField = ({ issue }: OperationOutcome, fields: FieldElements): FieldErrors => {
  const byField = new Map<string, string[]>();
  const general: string[] = [];
  for (const one of issue) {
    const [element = ''] = one.expression ?? [];
    const sentence = sentenceOf(one);
    const [field] = Object.entries(fields).find(([, pattern]) => pattern.test(element)) ?? [];
    if (field === undefined) general.push(sentence);
    else byField.set(field, [...(byField.get(field) ?? []), sentence]);
  }
  return { byField, general };
};
