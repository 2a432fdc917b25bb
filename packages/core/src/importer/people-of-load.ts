import { parseReference } from '../fhir/reference.ts';
import { isObject, type JsonObject } from '../fhir/schema.ts';
import type { UnpackedResource } from './unpacker.ts';

/** The types of the resources that other systems name by identifiers. */
const namedTypes: readonly string[] = ['Practitioner', 'Organization'];

/** The elements in which the resources of a chart name people. */
const elements = ['requester', 'performer', 'expressedBy', 'note', 'participant'] as const;

/** The depth of the deepest reference to a person: `participant`, its index, `member`. */
const maxDepth = 3;

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

const tokenOf = (system: string, value: string): string => JSON.stringify([system, value]);

/** An identifier as a text; none if it has no value. */
const tokensOf = (identifier: unknown): readonly string[] =>
  isObject(identifier) && readText(identifier.value) !== ''
    ? [tokenOf(readText(identifier.system), readText(identifier.value))]
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

/** The reference to somebody, such as `Practitioner/12`; `unknown` if nobody who was added has the name. */
type Named = string | typeof unknown;

const unknown = Symbol('unknown');

/** The practitioners and organizations of a load, by what else than their ids names them. */
export type PeopleOfLoad = {
  /** Remembers the identifiers of a practitioner or an organization, and the practitioner of a role. */
  readonly add: (resource: Pick<UnpackedResource, 'type' | 'id' | 'content'>) => void;
  /**
   * The resource with references such as `Practitioner/12` in place of identifiers, conditions, roles and contained resources.
   * `isWaiting` says that one of them names somebody who was not added, and may still come.
   */
  readonly resolve: (resource: JsonObject) => { readonly content: JsonObject; readonly isWaiting: boolean };
};

export const createPeopleOfLoad = (): PeopleOfLoad => {
  /** The reference of each type and identifier; null if several have the identifier. */
  const byIdentifier = new Map<string, string | null>();
  /** The reference of each role to its practitioner. */
  const byRole = new Map<string, JsonObject>();

  const find = (types: readonly string[], tokens: readonly string[]): Named =>
    types.flatMap((type) => tokens.flatMap((token) => byIdentifier.get(type + token) ?? []))[0] ?? unknown;

  /** The person whom a reference names other than by type and id; null if that is its form, or nothing in it says who. */
  const whoIs = (reference: JsonObject, contained: ReadonlyMap<string, JsonObject>): Named | null => {
    const text = readText(reference.reference);
    const held = text.startsWith('#') ? contained.get(text.slice(1)) : undefined;
    if (held !== undefined) {
      const type = readText(held.resourceType);
      if (type === 'PractitionerRole')
        return isObject(held.practitioner) ? named(held.practitioner, contained) : null;
      const tokens = listOf(held.identifier).flatMap(tokensOf);
      return namedTypes.includes(type) && tokens.length > 0 ? find([type], tokens) : null;
    }
    const [, type = '', system = '', value = ''] = conditionalPattern.exec(text) ?? [];
    if (namedTypes.includes(type)) return find([type], [tokenOf(decode(system), decode(value))]);
    const target = parseReference(text);
    if (target?.type === 'PractitionerRole') {
      const practitioner = byRole.get(target.id);
      return practitioner === undefined ? unknown : named(practitioner, new Map());
    }
    const tokens = text === '' ? tokensOf(reference.identifier) : [];
    if (tokens.length === 0) return null;
    const sentType = readText(reference.type);
    return find(sentType === '' ? namedTypes : [sentType], tokens);
  };

  /** The person whom a reference names, in whatever form. */
  const named = (reference: JsonObject, contained: ReadonlyMap<string, JsonObject>): Named | null =>
    whoIs(reference, contained) ??
    (namedTypes.includes(parseReference(readText(reference.reference))?.type ?? '')
      ? readText(reference.reference)
      : null);

  return {
    add: ({ type, id, content }) => {
      if (type === 'PractitionerRole' && isObject(content.practitioner)) byRole.set(id, content.practitioner);
      if (!namedTypes.includes(type)) return;
      for (const token of listOf(content.identifier).flatMap(tokensOf)) {
        const reference = `${type}/${id}`;
        const known = byIdentifier.get(type + token) ?? reference;
        byIdentifier.set(
          type + token,
          known === reference && byIdentifier.get(type + token) !== null ? reference : null,
        );
      }
    },
    resolve: (resource) => {
      let isWaiting = false;
      const contained = new Map(
        listOf(resource.contained).flatMap((one) =>
          isObject(one) ? [[readText(one.id), one] as const] : [],
        ),
      );
      const resolvePart = (part: unknown, depth: number): unknown => {
        if (Array.isArray(part)) return part.map((one) => resolvePart(one, depth - 1));
        if (!isObject(part) || depth < 0) return part;
        const who = whoIs(part, contained);
        if (who === unknown) isWaiting = true;
        else if (who !== null) return { ...part, reference: who };
        return Object.fromEntries(
          Object.entries(part).map(([name, value]) => [
            name,
            isObject(value) ? resolvePart(value, depth - 1) : value,
          ]),
        );
      };
      const changed = elements.flatMap((name) =>
        resource[name] === undefined ? [] : [[name, resolvePart(resource[name], maxDepth)] as const],
      );
      return { content: { ...resource, ...Object.fromEntries(changed) }, isWaiting };
    },
  };
};
