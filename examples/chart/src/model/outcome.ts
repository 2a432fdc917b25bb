import type { OperationOutcome } from '@clinical-records/http-adapter';

/** The errors of a request: sentences by the field that they blame, and those that blame none. */
export type FieldErrors = {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly general: readonly string[];
};

/** A field of a form, and the elements that it fills in, such as `Immunization.vaccineCode`. */
export type FieldElements = Readonly<Record<string, RegExp>>;

/** Sorts the issues of an outcome by the fields of a form. */
export const errorsByField = ({ issue }: OperationOutcome, fields: FieldElements): FieldErrors => {
  const byField = new Map<string, string[]>();
  const general: string[] = [];
  for (const { diagnostics, expression } of issue) {
    const [element = ''] = expression ?? [];
    const [field] = Object.entries(fields).find(([, pattern]) => pattern.test(element)) ?? [];
    if (field === undefined) general.push(diagnostics);
    else byField.set(field, [...(byField.get(field) ?? []), diagnostics]);
  }
  return { byField, general };
};
