import { type Issue, maxIssues } from '../errors.ts';
import { type BodyRule, bodyIssue, type Path, valueAt } from './issues.ts';
import { fhirPath } from './parse-body.ts';
import { Decimal } from './schema.ts';

/** The limits of a JSON text, and the type that its issues name. */
export type JsonOptions = {
  /** The type at the beginning of each expression. Default: the `resourceType` in the text. */
  readonly resourceType?: string;
  /** The most different names of properties. A text with more is not parsed. Default: no limit. */
  readonly maxNames?: number;
  /** The deepest nesting of objects and arrays. A text that is nested deeper is not parsed. Default: no limit. */
  readonly maxDepth?: number;
};

/** A JSON text as it was read. */
export type JsonText = {
  /**
   * The value, as `JSON.parse` returns it, but with a `Decimal` for each number that JavaScript would write in another way, such
   * as 0.50. Only numbers that are nested deeper than 100 are as in `JSON.parse`. Do not use the value if there are issues: of a
   * property that occurs twice, V8 returns the first or the last one, depending on what it has parsed before.
   */
  readonly value: unknown;
  /** One issue for each property that its object has already, at most a hundred; or the issue of a text that was not parsed. */
  readonly issues: readonly Issue<BodyRule>[];
};

type Step = string | number;

/** A place in a text, from the inside out: the parts of a container share its place. */
type Place = { readonly step: Step; readonly around: Place | null };

/** An object or an array around the part that is scanned. */
type Container = {
  readonly around: Container | null;
  readonly depth: number;
  readonly place: Place | null;
  /** The names so far; null in an array. */
  names: string[] | Set<string> | null;
  /** The name or the index of the part. */
  step: Step;
  isBeforeName: boolean;
};

/** The depth of the deepest part that has a place of its own, so that no path is long. */
const maxPath = 100;

/** The place of the part that is scanned, or of a container around it. */
const placeIn = (container: Container | null): Place | null => {
  if (container === null) return null;
  const { depth, place, step } = container;
  return depth < maxPath ? { step, around: place } : place;
};

const pathOf = (place: Place | null): Path => {
  const path: Step[] = [];
  for (let ancestor = place; ancestor !== null; ancestor = ancestor.around) path.push(ancestor.step);
  return path.reverse();
};

const openContainer = (around: Container | null, isObject: boolean): Container => ({
  around,
  depth: around === null ? 0 : around.depth + 1,
  place: placeIn(around),
  names: isObject ? [] : null,
  step: 0,
  isBeforeName: isObject,
});

/** With this many names, a Set finds one sooner than an array. */
const manyNames = 16;

/** Adds a name to an object. Returns false if the object has it already. */
const addName = (object: Container, name: string): boolean => {
  const { names } = object;
  if (names instanceof Set) return names.size < names.add(name).size;
  if (names?.includes(name)) return false;
  if (names?.push(name) === manyNames) object.names = new Set(names);
  return true;
};

/** Characters of JSON, as `charCodeAt` returns them. */
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The index of the quote that ends a string; the end of the text if there is none. */
const endOfString = (text: string, begin: number): number => {
  const end = text.indexOf('"', begin + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end;
  let index = begin + 1;
  while (index < text.length && text.charCodeAt(index) !== quote)
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  return index;
};

/** The name in a string, which escapes can spell in several ways. */
const nameIn = (string: string): string => (string.includes('\\') ? JSON.parse(string) : string.slice(1, -1));

/** The index after a number. */
const endOfNumber = (text: string, begin: number): number => {
  let index = begin + 1;
  while (index < text.length && '+-.0123456789Ee'.includes(text.charAt(index))) index += 1;
  return index;
};

const isWrittenAs = (text: string): boolean => text.length === 1 || String(Number(text)) === text;

type NumberText = { readonly text: string; readonly place: Place | null };

type Findings = { readonly repeated: readonly Path[]; readonly numbers: readonly NumberText[] };

/**
 * Finds what `JSON.parse` hides, in one pass over a text; null if the text exceeds a limit. It does not recurse, because a
 * sender may nest as deep as it likes.
 */
const scan = (text: string, { maxNames, maxDepth = Infinity }: JsonOptions): Findings | null => {
  const repeated: Path[] = [];
  const numbers: NumberText[] = [];
  const names = maxNames === undefined ? null : new Set<string>();
  let container = null as Container | null;
  for (let index = 0; index < text.length; index += 1) {
    const begin = index;
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, begin);
      if (!container?.isBeforeName) continue;
      container.isBeforeName = false;
      const name = nameIn(text.slice(begin, index + 1));
      container.step = name;
      if (names !== null && names.add(name).size > Number(maxNames)) return null;
      if (!addName(container, name) && repeated.length < maxIssues) repeated.push(pathOf(placeIn(container)));
    } else if (code === comma && container !== null) {
      if (typeof container.step === 'number') container.step += 1;
      else container.isBeforeName = true;
    } else if (code === openBrace || code === openBracket) {
      container = openContainer(container, code === openBrace);
      if (container.depth >= maxDepth) return null;
    } else if (code === closeBrace || code === closeBracket) {
      container = container?.around ?? null;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfNumber(text, begin);
      const number = text.slice(begin, end);
      index = end - 1;
      if (!isWrittenAs(number) && (container?.depth ?? 0) < maxPath)
        numbers.push({ text: number, place: placeIn(container) });
    }
  }
  return { repeated, numbers };
};

/** Puts the texts of numbers into a value that was parsed from the same text. */
const putDecimals = (value: unknown, numbers: readonly NumberText[]): unknown => {
  const containers = new Map<Place | null, object>();
  const containerAt = (place: Place | null): object => {
    const found =
      containers.get(place) ?? (place === null ? value : Reflect.get(containerAt(place.around), place.step));
    containers.set(place, found);
    return found;
  };
  for (const { text, place } of numbers) {
    if (place === null) return new Decimal(text);
    Reflect.set(containerAt(place.around), place.step, new Decimal(text));
  }
  return value;
};

/** The type of a resource, or that of all resources. */
const typeIn = (value: unknown): string => {
  const type = valueAt(value, ['resourceType']);
  return typeof type === 'string' && /^[A-Z][A-Za-z]{0,63}$/.test(type) ? type : 'Resource';
};

/**
 * Reads a JSON text, and finds what `JSON.parse` hides: properties that occur more than once, and the digits of numbers.
 * Of two, one program reads the first and another the last, perhaps in the chart of another patient, so refuse a text that
 * has issues. Throws a `SyntaxError` if the text is not JSON. Source: RFC 8259, 4.
 *
 * @example
 * const { value, issues } = readJson(text);
 */
export const readJson = (text: string, options: JsonOptions = {}): JsonText => {
  const findings = scan(text, options);
  if (findings === null) {
    return { value: undefined, issues: [bodyIssue('too-complex', options.resourceType)] };
  }
  const { repeated, numbers } = findings;
  const value: unknown = JSON.parse(text);
  // A path of a property that occurs twice can lead elsewhere.
  if (repeated.length === 0) return { value: putDecimals(value, numbers), issues: [] };
  const type = options.resourceType ?? typeIn(value);
  return {
    value,
    issues: repeated.map((path) => bodyIssue('repeated-property', fhirPath(type, path))),
  };
};
