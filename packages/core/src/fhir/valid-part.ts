import * as z from 'zod';
import type { Issue } from '../errors.ts';
import { isEssential, normalizeCode } from './element.ts';
import {
  type BodyRule,
  bodyIssue,
  type ElementEdit,
  editElements,
  leftOutIssue,
  type Path,
  valueAt,
} from './issues.ts';
import { fhirPath, findRule } from './parse-body.ts';
import { type Decimal, isObject } from './schema.ts';

type ZodIssue = z.core.$ZodIssue;

/** A change that an element needs to be valid, by its path as it was sent; and why, if it is left out. */
type Correction = ElementEdit & { readonly reason?: string };

const keyOf = (path: Path): string => path.join('/');

/** The schema of a part of an element; undefined if nothing is known of it. */
const partSchema = (schema: unknown, step: PropertyKey): unknown => {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return partSchema(schema.unwrap(), step);
  return schema instanceof z.ZodPipe ? partSchema(schema.in, step) : undefined;
};

/** The path of what goes with a part: itself, or the smallest element around it that says the same without it. */
const withoutChangeOfMeaning = (schema: z.ZodType, path: Path): Path => {
  const schemas: unknown[] = [schema];
  for (const step of path) schemas.push(partSchema(schemas.at(-1), step));
  let length = path.length;
  while (length > 0 && isEssential(schemas[length])) length -= 1;
  return path.slice(0, length);
};

/** Translates the path of a part of a corrected value into its path in the value that was sent. */
const createSentPath = (sent: unknown, corrections: readonly Correction[]) => {
  const removed = new Set(
    corrections.filter(({ value }) => value === undefined).map(({ path }) => keyOf(path)),
  );
  const keptByList = new Map<string, readonly number[]>();
  const keptIn = (list: Path): readonly number[] => {
    const key = keyOf(list);
    const known = keptByList.get(key);
    if (known !== undefined) return known;
    const kept = [...((valueAt(sent, list) as readonly unknown[] | undefined) ?? []).keys()].filter(
      (index) => !removed.has(keyOf([...list, index])),
    );
    keptByList.set(key, kept);
    return kept;
  };
  return (path: Path): Path => {
    const sentPath: PropertyKey[] = [];
    for (const step of path)
      sentPath.push(typeof step === 'number' ? (keptIn(sentPath)[step] ?? step) : step);
    return sentPath;
  };
};

/** Why a part is left out. Of a part within it, the place is said, too. */
const describeReason = (issue: ZodIssue, value: unknown, path: Path): string => {
  const { rule, allowed } = findRule(issue, value);
  const within = fhirPath('', issue.path.slice(path.length)).replace(/^\./, '');
  const { message } = bodyIssue(rule, undefined, allowed);
  return within === '' ? message : `At ${within}: ${message}`;
};

/** The value that the corrections so far have made of what was sent. */
type Attempt = {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly corrections: readonly Correction[];
  readonly toSentPath: (path: Path) => Path;
};

/** Whether an issue is about an element in which nothing is stored, and nothing was left out that could not be read. */
const isOnlyUnstored = (
  rule: unknown,
  part: unknown,
  sentPath: Path,
  corrections: readonly Correction[],
): boolean =>
  rule === ('empty' satisfies BodyRule) &&
  isObject(part) &&
  !corrections.some(
    ({ path, reason }) => reason !== undefined && sentPath.every((step, index) => path[index] === step),
  );

/**
 * Corrects what an issue is about. Spare white space is removed from a code, and `.0` from a whole number. Any other part is left out,
 * with what would say something else without it; and of something required that is missing, what requires it. Names that are not stored
 * are left out without a reason.
 */
const correct = (
  issue: ZodIssue,
  { schema, value, corrections, toSentPath }: Attempt,
): readonly Correction[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ path: toSentPath([...issue.path, name]) }));
  const { path } = issue;
  const part = valueAt(value, path);
  const sentPath = toSentPath(path);
  const rule: unknown = issue.code === 'custom' && issue.params?.rule;
  if (rule === ('code-form' satisfies BodyRule))
    return [{ path: sentPath, value: normalizeCode(String(part)) }];
  if (rule === ('integer-form' satisfies BodyRule) && /^-?\d+\.0+$/.test((part as Decimal).decimal))
    return [{ path: sentPath, value: Number(part) }];
  if (isOnlyUnstored(rule, part, sentPath, corrections))
    return [{ path: sentPath, reason: describeReason(issue, value, path) }];
  const leftOut = withoutChangeOfMeaning(schema, part === undefined ? path.slice(0, -1) : path);
  return [{ path: toSentPath(leftOut), reason: describeReason(issue, value, leftOut) }];
};

/** The corrections that are in no other one, each once. The first of a path counts. */
const outermost = (corrections: readonly Correction[]): readonly Correction[] => {
  const byPath = new Map(corrections.toReversed().map((correction) => [keyOf(correction.path), correction]));
  const kept = new Set(byPath.values());
  return corrections.filter(
    (correction) =>
      kept.has(correction) &&
      !correction.path.some((_, length) => byPath.has(keyOf(correction.path.slice(0, length)))),
  );
};

/** The valid rest of an element, and what was left out of it. */
export type ValidPart = {
  /** The rest as it was sent, or else undefined. */
  readonly rest: unknown;
  /** The rest as the schema reads it; undefined if there is none. */
  readonly value: unknown;
  /** The paths of the parts that were left out, as they were sent; and why. */
  readonly leftOut: readonly { readonly path: Path; readonly reason: string }[];
};

/** Reads as much of an element as is valid: it leaves out the smallest parts that are not, and what says something else without them. */
export const readValidPart = (schema: z.ZodType, sent: unknown): ValidPart => {
  let rest = sent;
  let corrections: readonly Correction[] = [];
  for (;;) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) {
      const leftOut = corrections.flatMap(({ path, reason }) =>
        reason === undefined ? [] : [{ path, reason }],
      );
      return { rest, value: parsed.data, leftOut };
    }
    const toSentPath = createSentPath(sent, corrections);
    const attempt = { schema, value: rest, corrections, toSentPath };
    const found = parsed.error.issues.flatMap((issue) => correct(issue, attempt));
    corrections = outermost([...corrections, ...found]);
    const [whole] = corrections.filter(({ path }) => path.length === 0);
    if (whole !== undefined)
      return { rest: undefined, value: undefined, leftOut: [{ path: [], reason: whole.reason ?? '' }] };
    rest = editElements(sent, corrections);
  }
};

/** The issues of what was left out of an element. */
export const leftOutIssues = (element: string, { leftOut }: ValidPart): readonly Issue[] =>
  leftOut.map(({ path, reason }) => leftOutIssue(fhirPath(element, path), reason));

/** Turns an expression about the rest, in which entries of lists are missing, into one about the value that was sent. */
export const createIndexRestorer = (element: string, sent: unknown, { leftOut }: ValidPart) => {
  const toSentPath = createSentPath(sent, leftOut);
  return (expression: string): string => {
    const steps = expression.slice(element.length).match(/[^.[\]]+/g) ?? [];
    const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('`', '')));
    return fhirPath(element, toSentPath(path));
  };
};
