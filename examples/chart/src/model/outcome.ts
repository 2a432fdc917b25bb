import type { OutcomeIssue } from '@clinical-records/client';
import { issueWords } from './error-words.ts';

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
    const sentence = issueWords(one);
    const [field] = Object.entries(fields).find(([, pattern]) => pattern.test(element)) ?? [];
    if (field === undefined) general.push(sentence);
    else {
      const sentences = [...(byField.get(field)?.sentences ?? []), sentence];
      byField.set(field, { isDoubt: severity === 'warning', sentences });
    }
  }
  return { byField, general };
};
