/** A server-sent event: its name, and its data as text. */
export type ServerEvent = { readonly name: string; readonly data: string };

const parseEvent = (block: string): ServerEvent | null => {
  const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line) ?? []);
  const name = fields.find(([, field]) => field === 'event')?.[2];
  const data = fields.flatMap(([, field, value = '']) => (field === 'data' ? [value] : []));
  return name === undefined ? null : { name, data: data.join('\n') };
};

/** The whole events at the beginning of a text, and the text after them. Source: HTML Standard, "Server-sent events". */
export const parseEvents = (
  text: string,
): { readonly events: readonly ServerEvent[]; readonly rest: string } => {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  return { events: blocks.map(parseEvent).filter((event) => event !== null), rest };
};
