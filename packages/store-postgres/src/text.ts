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
