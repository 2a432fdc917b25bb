import { parseReference } from '../fhir/reference.ts';
import { isObject, type JsonObject } from '../fhir/schema.ts';
import type { UnpackedResource } from './unpacker.ts';

/** The types of the practitioners and organizations that other systems name by identifiers. */
const namedTypes: readonly string[] = ['Practitioner', 'Organization'];

/** The elements that refer to the patient of a resource. */
const patientElements = ['subject', 'patient'];

/** The depth of the deepest reference to a person: `participant`, its index, `member`. */
const maxDepth = 3;

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The system and the value of an identifier. */
export type IdentifierToken = { readonly system: string; readonly code: string };

const keyOf = ({ system, code }: IdentifierToken): string => JSON.stringify([system, code]);

/** The token of an identifier; none if it has no value. */
const tokensOf = (identifier: unknown): readonly IdentifierToken[] =>
  isObject(identifier) && readText(identifier.value) !== ''
    ? [{ system: readText(identifier.system), code: readText(identifier.value) }]
    : [];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A conditional reference such as `Practitioner?identifier=system|value`. Source: FHIR R4, RESTful API, 3.1.0.11.4. */
const conditionalPattern = /^([A-Z][A-Za-z]*)\?identifier=(?:([^|&]*)\|)?([^|&]+)$/;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const unknown = Symbol('unknown');

/** The reference to somebody, such as `Practitioner/12`; `unknown` if nobody who was added, or more than one, has the identifier. */
type Person = string | typeof unknown;

type ContainedResources = ReadonlyMap<string, JsonObject>;

const nothingContained: ContainedResources = new Map();

const containedIn = ({ contained }: JsonObject): ContainedResources =>
  contained === undefined
    ? nothingContained
    : new Map(listOf(contained).flatMap((one) => (isObject(one) ? [[readText(one.id), one] as const] : [])));

/** The contained resource to which a reference such as `#p` leads. */
const heldBy = (reference: string, contained: ContainedResources): JsonObject | undefined =>
  reference.startsWith('#') ? contained.get(reference.slice(1)) : undefined;

/** A resource in which people are named by their ids. `isWaiting` says that one was not added to the load, and may still come. */
export type ResolvedPeople = { readonly content: JsonObject; readonly isWaiting: boolean };

/** The people and organizations of a load, and what else than their ids names them. */
export type PeopleOfLoad = {
  /** Remembers the identifiers of a person or an organization, and the practitioner of a role. */
  readonly add: (resource: Pick<UnpackedResource, 'type' | 'id' | 'content'>) => void;
  /**
   * The resource with references such as `Practitioner/12` in place of identifiers, conditions, roles and contained resources, in the
   * elements that name people.
   */
  readonly resolve: (resource: JsonObject, elements: readonly string[]) => ResolvedPeople;
  /** The identifiers by which a resource names its patient, and the element; null if it refers to the patient, or names nobody. */
  readonly namedPatient: (
    resource: JsonObject,
  ) => { readonly element: string; readonly tokens: readonly IdentifierToken[] } | null;
  /** The references of the patients who were added, and have one of the identifiers. */
  readonly findPatients: (tokens: readonly IdentifierToken[]) => readonly string[];
};

export const createPeopleOfLoad = (): PeopleOfLoad => {
  /** The references of the people and organizations with an identifier, by their type and the identifier. */
  const byIdentifier = new Map<string, Set<string>>();
  /** The reference of each role to its practitioner. */
  const byRole = new Map<string, JsonObject>();

  const findAll = (types: readonly string[], tokens: readonly IdentifierToken[]): ReadonlySet<string> =>
    new Set(
      types.flatMap((type) => tokens.flatMap((token) => [...(byIdentifier.get(type + keyOf(token)) ?? [])])),
    );

  const find = (types: readonly string[], tokens: readonly IdentifierToken[]): Person => {
    const [person = unknown, ...others] = findAll(types, tokens);
    return others.length === 0 ? person : unknown;
  };

  /** The identifiers by which a reference names somebody of some types, and which of the types it can be; none if it does not. */
  const readNamed = (reference: JsonObject, contained: ContainedResources, allowed: readonly string[]) => {
    const text = readText(reference.reference);
    const [, type = '', system = '', value = ''] = conditionalPattern.exec(text) ?? [];
    if (allowed.includes(type))
      return { types: [type], tokens: [{ system: decode(system), code: decode(value) }] };
    const held = heldBy(text, contained);
    const { type: sentType, identifier } =
      held === undefined ? reference : { ...held, type: held.resourceType };
    const types = sentType === undefined ? allowed : allowed.filter((one) => one === sentType);
    const tokens = held !== undefined || text === '' ? [identifier].flat().flatMap(tokensOf) : [];
    return types.length > 0 && tokens.length > 0 ? { types, tokens } : { types, tokens: [] };
  };

  /** The person whom a reference names by an identifier; null if it names nobody in this way. */
  const findNamed = (reference: JsonObject, contained: ContainedResources): Person | null => {
    const { types, tokens } = readNamed(reference, contained, namedTypes);
    return tokens.length > 0 ? find(types, tokens) : null;
  };

  /** The reference to the practitioner of a role; undefined if it was not added, and null if a reference names no role. */
  const practitionerOf = (
    reference: JsonObject,
    contained: ContainedResources,
  ): JsonObject | undefined | null => {
    const text = readText(reference.reference);
    const held = heldBy(text, contained);
    if (held?.resourceType === 'PractitionerRole')
      return isObject(held.practitioner) ? held.practitioner : null;
    const target = parseReference(text);
    return target?.type === 'PractitionerRole' ? byRole.get(target.id) : null;
  };

  /** The person whom a reference names in another form than `Practitioner/12`; null if it names nobody in this way. */
  const findPerson = (reference: JsonObject, contained: ContainedResources): Person | null => {
    const practitioner = practitionerOf(reference, contained);
    if (practitioner === null) return findNamed(reference, contained);
    if (practitioner === undefined) return unknown;
    // The practitioner of a role is not a role again.
    const text = readText(practitioner.reference);
    return parseReference(text)?.type === 'Practitioner' ? text : findNamed(practitioner, contained);
  };

  return {
    add: ({ type, id, content }) => {
      if (type === 'PractitionerRole' && isObject(content.practitioner)) byRole.set(id, content.practitioner);
      if (type !== 'Patient' && !namedTypes.includes(type)) return;
      for (const token of listOf(content.identifier).flatMap(tokensOf)) {
        const key = type + keyOf(token);
        byIdentifier.set(key, (byIdentifier.get(key) ?? new Set()).add(`${type}/${id}`));
      }
    },
    namedPatient: (resource) => {
      for (const element of patientElements) {
        const reference = resource[element];
        if (!isObject(reference)) continue;
        const { tokens } = readNamed(reference, containedIn(resource), ['Patient']);
        if (tokens.length > 0) return { element, tokens };
      }
      return null;
    },
    findPatients: (tokens) => [...findAll(['Patient'], tokens)],
    resolve: (resource, elements) => {
      let isWaiting = false;
      const contained = containedIn(resource);
      const resolvePart = (part: unknown, depth: number): unknown => {
        if (Array.isArray(part)) return part.map((one) => resolvePart(one, depth - 1));
        if (!isObject(part) || depth < 0) return part;
        const person = findPerson(part, contained);
        if (person === unknown) isWaiting = true;
        else if (person !== null) return { ...part, reference: person };
        const copy: Record<string, unknown> = { ...part };
        for (const name of Object.keys(part)) {
          if (isObject(part[name])) copy[name] = resolvePart(part[name], depth - 1);
        }
        return copy;
      };
      const content = { ...resource };
      for (const name of elements) {
        if (name in content) content[name] = resolvePart(content[name], maxDepth);
      }
      return { content, isWaiting };
    },
  };
};
