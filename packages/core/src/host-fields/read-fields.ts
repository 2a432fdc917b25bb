import * as E from 'fp-ts/lib/Either.js';
import type * as z from 'zod';
import { type Issue, invalidRequest, relocateIssue } from '../errors.ts';
import {
  carriedFields,
  carryFields,
  type StoredExtension,
  type StoredFields,
} from '../fhir/common-elements.ts';
import { bodyIssue, leftOutIssue } from '../fhir/issues.ts';
import { type BodyParser, createBodyParser, type PreferredHandling } from '../fhir/parse-body.ts';
import { isObject, type JsonObject } from '../fhir/schema.ts';
import type { FieldReader } from '../fhir/source-resource.ts';
import { toStoredElement } from '../fhir/stored-element.ts';
import type { Field, TypeFields } from './host-extension.ts';

/** The extensions of one element: the valid fields among them, and the rest with the index that each had. */
type ReadPlace = {
  readonly fields: readonly StoredExtension[];
  readonly issues: readonly { readonly at: string; readonly issue: Issue }[];
  readonly rest: readonly (readonly [index: number, sent: unknown])[];
};

const readPlace = (
  extension: readonly unknown[],
  place: string,
  known: ReadonlyMap<string, Field>,
  handling: PreferredHandling,
): ReadPlace => {
  const fields: StoredExtension[] = [];
  const issues: { at: string; issue: Issue }[] = [];
  const rest: [number, unknown][] = [];
  const counts = new Map<string, number>();
  for (const [index, sent] of extension.entries()) {
    const url = isObject(sent) ? String(sent.url) : '';
    const field = known.get(url);
    if (field === undefined) {
      rest.push([index, sent]);
      continue;
    }
    const at = `${place}.extension[${index}]`;
    const count = (counts.get(url) ?? 0) + 1;
    counts.set(url, count);
    if (count > field.max) {
      issues.push({ at, issue: bodyIssue('many', at) });
      continue;
    }
    const parsed = field.parse(sent, handling);
    if (E.isRight(parsed)) fields.push(toStoredElement(parsed.right));
    else
      for (const issue of parsed.left.issues)
        issues.push({ at, issue: relocateIssue((inner) => inner.replace('#', at))(issue) });
  }
  return { fields, issues, rest };
};

/** The elements of a resource or a command that can have fields, and have extensions. */
function* placesIn(
  sent: JsonObject,
  fields: TypeFields,
): Generator<{
  readonly name: string;
  readonly known: ReadonlyMap<string, Field>;
  readonly extension: readonly unknown[];
}> {
  for (const [name, known] of fields) {
    const holder = name === '' ? sent : sent[name];
    if (isObject(holder) && Array.isArray(holder.extension))
      yield { name, known, extension: holder.extension };
  }
}

const placeOf = (label: string, name: string): string => (name === '' ? label : `${label}.${name}`);

/** An element without its extensions, or with what is left of them. */
const withRest = (holder: JsonObject, rest: ReadPlace['rest']): JsonObject => {
  const { extension: _, ...others } = holder;
  return rest.length === 0 ? others : { ...others, extension: rest.map(([, sent]) => sent) };
};

/** A body without its fields, the fields, and what is wrong with them. */
type PeeledBody = {
  readonly rest: JsonObject;
  readonly fields: StoredFields | undefined;
  readonly issues: readonly Issue[];
  /** The place in the sent body of an element of the rest. */
  readonly toSentPlace: (expression: string) => string;
};

const peel = (
  sent: JsonObject,
  label: string,
  ofType: TypeFields,
  handling: PreferredHandling,
): PeeledBody => {
  let rest = sent;
  const fields: Record<string, readonly StoredExtension[]> = {};
  const issues: Issue[] = [];
  const kept = new Map<string, ReadPlace['rest']>();
  for (const { name, known, extension } of placesIn(sent, ofType)) {
    const place = placeOf(label, name);
    const read = readPlace(extension, place, known, handling);
    issues.push(...read.issues.map(({ issue }) => issue));
    if (read.fields.length > 0) fields[name] = read.fields;
    kept.set(`${place}.extension`, read.rest);
    rest =
      name === ''
        ? withRest(rest, read.rest)
        : { ...rest, [name]: withRest(rest[name] as JsonObject, read.rest) };
  }
  return {
    rest,
    fields: Object.keys(fields).length > 0 ? fields : undefined,
    issues,
    toSentPlace: (expression) => {
      const [, list = '', index = '', after = ''] = /^(.*?\.extension)\[(\d+)\](.*)$/s.exec(expression) ?? [];
      const sentIndex = kept.get(list)?.[Number(index)]?.[0];
      return sentIndex === undefined ? expression : `${list}[${sentIndex}]${after}`;
    },
  };
};

/**
 * Creates a parser that takes the fields of a type out of a body before its schema sees them. `label` begins the place of each issue. A
 * command that is parsed again keeps its fields.
 */
export const createFieldParser = <A extends object>(
  schema: z.ZodType<A>,
  label: string,
  ofType: TypeFields | undefined,
): BodyParser<A> => {
  const parse = createBodyParser(schema, label);
  if (ofType === undefined) return parse;
  return (body, handling) => {
    if (!isObject(body)) return parse(body, handling);
    const known = carriedFields(body);
    if (known !== undefined) return E.map((parsed: A) => carryFields(parsed, known))(parse(body, handling));
    const { rest, fields, issues, toSentPlace } = peel(body, label, ofType, handling);
    const parsed = parse(rest, handling);
    const ofRest = E.isLeft(parsed) ? parsed.left.issues.map(relocateIssue(toSentPlace)) : [];
    if (E.isLeft(parsed) || issues.length > 0) return E.left(invalidRequest([...issues, ...ofRest]));
    return fields === undefined ? parsed : E.right(carryFields(parsed.right, fields));
  };
};

/** Reads the fields of a resource of another system. One that is not valid is left out by itself. */
export const createFieldReader = (type: string, ofType: TypeFields | undefined): FieldReader | undefined =>
  ofType &&
  ((sent) => {
    const fields: Record<string, readonly StoredExtension[]> = {};
    const issues: Issue[] = [];
    for (const { name, known, extension } of placesIn(sent, ofType)) {
      const read = readPlace(extension, placeOf(type, name), known, 'lenient');
      if (read.fields.length > 0) fields[name] = read.fields;
      for (const [at, [first]] of Map.groupBy(read.issues, ({ at }) => at))
        issues.push(leftOutIssue(at, first?.issue.message));
    }
    return { value: Object.keys(fields).length > 0 ? fields : undefined, issues };
  });
