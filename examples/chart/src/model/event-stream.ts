/** A server-sent event: its name and data, empty for one that only has an id, and the id after which a stream continues. */
export type ServerEvent = { readonly name: string; readonly data: string; readonly id: string | undefined };

const parseEvent = (block: string): ServerEvent | null => {
  const valuesOf = (wanted: string) =>
    block.split('\n').flatMap((line) => {
      const [, field, value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
      return field === wanted ? [value] : [];
    });
  const [[name], [id]] = [valuesOf('event'), valuesOf('id')];
  return name === undefined && id === undefined
    ? null
    : { name: name ?? '', data: valuesOf('data').join('\n'), id };
};

/** The whole events at the beginning of a text, and the text after them. Source: HTML Standard, "Server-sent events". */
export const parseEvents = (
  text: string,
): { readonly events: readonly ServerEvent[]; readonly rest: string } => {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  return { events: blocks.map(parseEvent).filter((event) => event !== null), rest };
};
