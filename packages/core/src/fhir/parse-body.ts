import * as E from 'fp-ts/lib/Either.js';
import type * as z from 'zod';
import { type ClinicalError, type Issue, invalidRequest, maxIssues } from '../errors.ts';
import { isAddedByRead } from './common-elements.ts';
import { hasModifierExtension, isPresent, readUnrecognizedNames } from './element.ts';
import {
  type BodyRule,
  bodyIssue,
  type ElementEdit,
  editElements,
  isBodyRule,
  type Path,
  valueAt,
} from './issues.ts';
import { walkObjects } from './schema.ts';

/**
 * The handling of elements that FHIR defines and the library does not store, and of unknown search parameters:
 * `lenient` ignores them, `strict` refuses them. Source: FHIR R4, RESTful API, 3.1.1.1.
 */
export type PreferredHandling = 'lenient' | 'strict';

type ZodIssue = z.core.$ZodIssue;

/** The words of FHIRPath that are a name only within backticks. Source: FHIRPath, 3.1. */
const keyword =
  /^(?:and|div|false|implies|mod|or|true|xor|(?:year|month|week|day|hour|minute|second|millisecond)s?)$/;

/** The path of an element in FHIRPath. A name from the body is shown only if it looks like a name in FHIR. */
export const fhirPath = (resourceType: string, path: Path): string =>
  path.reduce<string>((base, step) => {
    if (typeof step === 'number') return `${base}[${step}]`;
    const name = String(step);
    if (!/^_?[A-Za-z]\w{0,63}$/.test(name)) return base;
    return keyword.test(name) ? `${base}.\`${name}\`` : `${base}.${name}`;
  }, resourceType);

/** The JSON types that an element may have; undefined if its type is not what is wrong. */
const findExpectedTypes = (issue: ZodIssue): readonly string[] | undefined => {
  if (issue.code === 'invalid_type') return [issue.expected];
  if (issue.code !== 'invalid_union') return undefined;
  const types = issue.errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? first.expected : undefined,
  );
  return types.every((type) => type !== undefined) ? types : undefined;
};

/** A rule of a body, and what it allows if the message is to list that. */
type RuleOfElement = { readonly rule: BodyRule; readonly allowed?: readonly string[] | undefined };

/** The rule of a body that an issue is about. */
export const findRule = (issue: ZodIssue, body: unknown): RuleOfElement => {
  switch (issue.code) {
    case 'custom':
      return { ...issue.params, rule: isBodyRule(issue.params?.rule) ? issue.params.rule : 'value' };
    case 'too_small':
      return { rule: 'empty' };
    case 'too_big':
      return { rule: 'many' };
    default: {
      if (valueAt(body, issue.path) === undefined) return { rule: 'required' };
      const types = findExpectedTypes(issue);
      if (types !== undefined) return { rule: 'type', allowed: types };
      return {
        rule: 'value',
        allowed: issue.code === 'invalid_value' ? issue.values.map(String) : undefined,
      };
    }
  }
};

/**
 * Removes what Zod reports about the length of an element that has the wrong type. Zod measures everything that has a
 * length.
 */
const omitMeasures = (issues: readonly ZodIssue[]): readonly ZodIssue[] => {
  const mistyped = issues.filter(({ code }) => code === 'invalid_type');
  const paths = new Set(mistyped.map(({ path }) => path.join()));
  return issues.filter(
    ({ code, path }) => (code !== 'too_small' && code !== 'too_big') || !paths.has(path.join()),
  );
};

/** A broken rule and its element, which is dropped instead of being reported if that is allowed. */
type BrokenRule = RuleOfElement & { readonly path: Path; readonly isDropped: boolean };

/** Whether an element is empty only because nothing of what was sent in it is stored. */
const hasOnlyUnstoredParts = ({ code, path, ...issue }: ZodIssue, body: unknown): boolean => {
  if (code !== 'custom' || (issue as { params?: { rule?: unknown } }).params?.rule !== 'empty') return false;
  const value = valueAt(body, path);
  return typeof value === 'object' && value !== null && Object.values(value).some(isPresent);
};

/** The broken rules of a Zod issue, each with its element. A name whose value is undefined breaks no rule. */
const findBrokenRules = (
  issue: ZodIssue,
  body: unknown,
  handling: PreferredHandling,
): readonly BrokenRule[] =>
  issue.code === 'unrecognized_keys'
    ? readUnrecognizedNames(issue).flatMap(({ name, rule, canBeDropped }) => {
        const path = [...issue.path, name];
        const value = valueAt(body, path);
        if (value === undefined) return [];
        if (canBeDropped && hasModifierExtension(value))
          return [{ rule: 'modifier-extension', path, isDropped: false }];
        const isDropped = canBeDropped && (handling !== 'strict' || isAddedByRead(path, value));
        return [{ rule, path, isDropped }];
      })
    : [{ ...findRule(issue, body), path: issue.path, isDropped: hasOnlyUnstoredParts(issue, body) }];

/**
 * The elements to drop for an issue that only dropped parts have caused: the empty rest of an element, or the element that requires
 * what was dropped. Names with an undefined value are dropped, too, as in JSON.
 */
const restsToDrop = (issue: ZodIssue, body: unknown): readonly Path[] => {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => [...issue.path, name]);
  return [valueAt(body, issue.path) === undefined ? issue.path.slice(0, -1) : issue.path];
};

/** The edits that drop elements, without those within another one. */
const dropAll = (paths: readonly Path[]): readonly ElementEdit[] => {
  const keys = new Set(paths.map((path) => path.join()));
  return paths
    .filter((path) => !path.some((_, length) => length > 0 && keys.has(path.slice(0, length).join())))
    .map((path) => ({ path }));
};

/** The most array elements that a body has in total, because each can have issues of its own. */
const maxElements = 5000;

/** Whether a body has too many array elements to be checked. */
const isTooLarge = (body: unknown): boolean => {
  let elements = 0;
  for (const part of walkObjects(body)) {
    if (Array.isArray(part)) elements += part.length;
    if (elements > maxElements) return true;
  }
  return false;
};

export type BodyParser<A> = (body: unknown, handling: PreferredHandling) => E.Either<ClinicalError, A>;

/**
 * Creates a parser that checks a body of any size against its schema and returns all issues, each with its element. A
 * schema with elements that may be dropped does not transform anything. So a body without other issues is the parsed
 * body, once these elements are removed.
 */
export const createUnlimitedParser =
  <A>(schema: z.ZodType<A>, resourceType: string): BodyParser<A> =>
  (body, handling) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return E.right(parsed.data);
    const issues: Issue[] = [];
    const dropped: Path[] = [];
    const brokenRules = omitMeasures(parsed.error.issues)
      .values()
      .flatMap((issue) => findBrokenRules(issue, body, handling));
    for (const { rule, allowed, path, isDropped } of brokenRules) {
      if (isDropped) dropped.push(path);
      else if (issues.push(bodyIssue(rule, fhirPath(resourceType, path), allowed)) === maxIssues) break;
    }
    if (issues.length > 0) return E.left(invalidRequest(issues));
    for (let rest = editElements(body, dropAll(dropped)); ; ) {
      const parsedRest = schema.safeParse(rest);
      if (parsedRest.success) return E.right(parsedRest.data);
      const { issues: restIssues } = parsedRest.error;
      const ofBody = restIssues.find((issue) => restsToDrop(issue, rest).some(({ length }) => length === 0));
      if (ofBody !== undefined)
        return E.left(invalidRequest(bodyIssue('required', fhirPath(resourceType, ofBody.path))));
      const paths = restIssues.flatMap((issue) => restsToDrop(issue, rest));
      rest = editElements(rest, dropAll(paths));
    }
  };

/**
 * Creates the same parser for requests of clients: it refuses a body that is too large before it checks the elements.
 */
export const createBodyParser = <A>(schema: z.ZodType<A>, resourceType: string): BodyParser<A> => {
  const parse = createUnlimitedParser(schema, resourceType);
  return (body, handling) =>
    isTooLarge(body) ? E.left(invalidRequest(bodyIssue('many', resourceType))) : parse(body, handling);
};
