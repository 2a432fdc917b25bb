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
  let at = dimensionBytes;
  for (const [index, text] of texts.entries()) {
    at = buffer.writeInt32BE(text === null ? -1 : (lengths[index] ?? 0), at);
    if (text !== null) at += buffer.write(text, at);
  }
  return buffer;
};
