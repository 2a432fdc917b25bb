import type { OutcomeIssue } from '@clinical-records/client';

/** The sentences at a field: of the rules that it breaks, or of doubts about it. */
export type FieldRemark = { readonly isDoubt: boolean; readonly sentences: readonly string[] };

/** The remarks on a form: by the field that each is about, and those that are about none. */
export type FormRemarks = {
  readonly byField: ReadonlyMap<string, FieldRemark>;
  readonly general: readonly string[];
};

export const noRemarks: FormRemarks = { byField: new Map(), general: [] };

/** A field of a form, and the elements that it fills in, such as `Immunization.vaccineCode`. */
export type FieldElements = Readonly<Record<string, RegExp>>;

/** The sentence of an issue. That of a key which was used before is for programs. */
const sentenceOf = ({ details, diagnostics = '' }: OutcomeIssue): string =>
  details?.coding?.[0]?.code === 'idempotency-key-reused'
    ? 'The first request was recorded, although its response was lost. Look at it in the chart before you record more.'
    : diagnostics;

/** Sorts the issues of a severity by the fields of a form. A warning is a doubt. */
export const remarksOf = (
  issues: readonly OutcomeIssue[],
  fields: FieldElements,
  severity: 'error' | 'warning' = 'error',
): FormRemarks => {
  const byField = new Map<string, FieldRemark>();
  const general: string[] = [];
  for (const one of issues) {
    if (one.severity !== severity) continue;
    const [element = ''] = one.expression ?? [];
    const sentence = sentenceOf(one);
    const [field] = Object.entries(fields).find(([, pattern]) => pattern.test(element)) ?? [];
    if (field === undefined) general.push(sentence);
    else {
      const sentences = [...(byField.get(field)?.sentences ?? []), sentence];
      byField.set(field, { isDoubt: severity === 'warning', sentences });
    }
  }
  return { byField, general };
};
