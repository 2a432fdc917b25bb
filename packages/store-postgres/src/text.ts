import { type RawBuilder, sql } from 'kysely';

/** PostgreSQL cannot store U+0000. So U+0001 begins an escape, and a text with neither is stored as it is. */
const escapes = [
  ['\u0001', '\u0001b'],
  ['\u0000', '\u0001a'],
] as const;

/** An empty patient id. The empty text itself says that there is no patient, because a key cannot be null. */
const emptyPatient = '\u0001c';

/** A text in the form that PostgreSQL can store. */
export const encodeText = (text: string): string =>
  text.includes('\u0000') || text.includes('\u0001')
    ? escapes.reduce((encoded, [character, escaped]) => encoded.replaceAll(character, escaped), text)
    : text;

/** The text that `encodeText` was given. */
export const decodeText = (text: string): string => {
  if (!text.includes('\u0001')) return text;
  if (text === emptyPatient) return '';
  return escapes.reduceRight((decoded, [character, escaped]) => decoded.replaceAll(escaped, character), text);
};

/** A patient id, or null, in the form of a column of a key. */
export const encodePatient = (patientId: string | null): string =>
  patientId === null ? '' : encodeText(patientId) || emptyPatient;

/** Stands between two texts. No encoded text contains it. */
const separator = '\u0001,';

/**
 * The encoded texts of several rows as one value, in an order. pg creates an object for each row and a text for each of its
 * columns. To split one text costs less. In a `text[]`, PostgreSQL would escape each quotation mark of a JSON text.
 */
export const joinTexts = (
  text: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<readonly string[] | null> =>
  sql`string_agg(${text}, ${sql.lit(separator)} order by ${order})::varchar`;

/** The texts of a value of `joinTexts`. */
export const splitTexts = (joined: string): readonly string[] => joined.split(separator).map(decodeText);

/** The number of the type `text` in PostgreSQL. */
export const textType = 25;

const dimensionBytes = 20;

export type TextArray = readonly (string | null)[];

/**
 * A `text[]` in PostgreSQL's binary format, as a parameter. In the text format, pg escapes each quotation mark of a JSON text, and
 * PostgreSQL looks at each character. Source: PostgreSQL, `array_recv`.
 */
export const encodeTextArray = (texts: TextArray): Buffer => {
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const buffer = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, dimensionBytes));
  buffer.writeInt32BE(1, 0);
  // Whether there are nulls. PostgreSQL finds them itself.
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(textType, 8);
  buffer.writeInt32BE(texts.length, 12);
  // The index of the first text.
  buffer.writeInt32BE(1, 16);
  let offset = dimensionBytes;
  for (const [index, text] of texts.entries()) {
    offset = buffer.writeInt32BE(text === null ? -1 : (lengths[index] ?? 0), offset);
    if (text !== null) offset += buffer.write(text, offset);
  }
  return buffer;
};

/** An element of an array of PostgreSQL. Source: PostgreSQL, "Array Input and Output Syntax". */
const toElement = (value: unknown): string =>
  value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;

/** A value as a text that PostgreSQL can cast to its type; null if it is null. */
export const encodePlainly = (value: unknown): string | null => {
  if (value === null) return null;
  return Array.isArray(value) ? `{${value.map(toElement).join()}}` : String(value);
};
