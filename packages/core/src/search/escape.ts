/**
 * Splits a text at each separator without a backslash before it. The parts keep their escapes.
 *
 * Source: FHIR R4, Search, 3.1.1.3.
 */
export const splitUnescaped =
  (separator: ',' | '|') =>
  (value: string): readonly string[] => {
    if (!value.includes('\\')) return value.split(separator);
    const parts = [''];
    for (const [character] of value.matchAll(/\\?./gsu)) {
      if (character === separator) parts.push('');
      else parts[parts.length - 1] += character;
    }
    return parts;
  };

/** Removes the backslashes that escape `,`, `|`, `$` and `\`. */
export const removeEscapes = (value: string): string => value.replace(/\\([,|$\\])/g, '$1');
