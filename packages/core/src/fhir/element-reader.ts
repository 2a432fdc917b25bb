import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { type ElementEdit, editElements, type Path, valueAt } from './edit-elements.ts';
import { normalizeCode } from './element.ts';
import { type BodyRule, leftOutIssue } from './issues.ts';
import { fhirPath } from './parse-body.ts';
import type { SentResource, SourceReading } from './source-resource.ts';

/** A change that an element needs to be valid, and whether it is an issue. */
type Correction = ElementEdit & { readonly isIssue: boolean };

/**
 * Corrects what an issue is about. Spare white space is removed from a code. Any other part is left out, and of something required
 * that is missing, what requires it. Names that are not stored are left out silently.
 */
const correct = (issue: z.core.$ZodIssue, element: unknown): readonly Correction[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ path: [...issue.path, name], isIssue: false }));
  const { path } = issue;
  const value = valueAt(element, path);
  if (issue.code === 'custom' && issue.params?.rule === ('code-form' satisfies BodyRule))
    return [{ path, value: normalizeCode(String(value)), isIssue: false }];
  return [{ path: value === undefined ? path.slice(0, -1) : path, isIssue: true }];
};

const keyOf = (path: Path): string => path.join('/');

/** The corrections that are in no other one, each once. */
const outermost = (corrections: readonly Correction[]): readonly Correction[] => {
  const byPath = new Map(corrections.map((correction) => [keyOf(correction.path), correction]));
  return [...byPath.values()].filter(
    ({ path }) => !path.some((_, length) => byPath.has(keyOf(path.slice(0, length)))),
  );
};

/** The valid rest of an element, or undefined if there is none, and the paths of the parts that are left out. */
const readValidPart = (
  schema: z.ZodType,
  sent: unknown,
): { readonly value: unknown; readonly leftOut: readonly Path[] } => {
  let value = sent;
  let corrections: readonly Correction[] = [];
  for (;;) {
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      const issues = corrections.filter(({ isIssue }) => isIssue);
      return { value: parsed.data, leftOut: issues.map(({ path }) => path) };
    }
    const edits = outermost(parsed.error.issues.flatMap((issue) => correct(issue, value)));
    if (edits.some(({ path }) => path.length === 0)) return { value: undefined, leftOut: [[]] };
    corrections = outermost([...corrections, ...edits]);
    value = editElements(value, edits);
  }
};

/** The schema of an element, and that of each of its values if it is an array. */
const unwrap = (schema: unknown) => {
  const whole = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return {
    whole: whole as z.ZodType,
    each: whole instanceof z.ZodArray ? (whole.element as z.ZodType) : null,
  };
};

/**
 * Creates a reader of a group of optional elements of another system. It keeps what is valid of each element, and reports the
 * smallest parts that are not. Of an element that is an array, each value is read by itself.
 */
export const createElementReader = <Elements extends object>(type: string, group: z.ZodRawShape) => {
  const schemas = Object.entries(group).map(([name, schema]) => ({ name, ...unwrap(schema) }));
  return (resource: SentResource): SourceReading<Elements> => {
    const elements: Record<string, unknown> = {};
    const issues: Issue[] = [];
    const read = (schema: z.ZodType, sent: unknown, element: string): unknown => {
      const { value, leftOut } = readValidPart(schema, sent);
      for (const path of leftOut) issues.push(leftOutIssue(fhirPath(element, path)));
      return value;
    };
    for (const { name, whole, each } of schemas) {
      const sent = resource[name];
      if (sent === undefined) continue;
      const element = `${type}.${name}`;
      elements[name] =
        each !== null && Array.isArray(sent)
          ? sent.flatMap((one, at) => read(each, one, `${element}[${at}]`) ?? [])
          : read(whole, sent, element);
    }
    return { value: elements as Elements, issues };
  };
};
