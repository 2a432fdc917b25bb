const width = 100;

/** JSON for people: what fits stands on one line. `before` is how much of its first line is taken already. */
export const formatJson = (value: unknown, indent = '', before = 0): string => {
  const short = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/\[ | \]/g, (end) => end.trim());
  if (typeof value !== 'object' || value === null) return short;
  if (indent.length + before + short.length <= width) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((element) => inner + formatJson(element, inner))
    : Object.entries(value).map(([name, element]) => {
        const start = `${JSON.stringify(name)}: `;
        return inner + start + formatJson(element, inner, start.length);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
};
