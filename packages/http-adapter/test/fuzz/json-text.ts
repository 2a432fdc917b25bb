/** JSON as text that can be edited into what no value can say: names twice, and text that is not JSON at all. */
export type JsonText =
  | string
  | { readonly brackets: readonly [string, string]; readonly slots: readonly Slot[] };

/** A place for a value: a member of an object, or an item of an array, which has no name. */
type Slot = { readonly name: string | null; readonly value: JsonText };

/** The replacements of one slot: none, one, or several. */
export type Edit = (slot: Slot) => readonly Slot[];

export const jsonText = (value: unknown): JsonText => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value)
    ? { brackets: ['[', ']'], slots: value.map((item) => ({ name: null, value: jsonText(item) })) }
    : {
        brackets: ['{', '}'],
        slots: Object.entries(value).map(([name, member]) => ({ name, value: jsonText(member) })),
      };
};

export const printJson = (json: JsonText): string => {
  if (typeof json === 'string') return json;
  const slots = json.slots.map(({ name, value }) =>
    name === null ? printJson(value) : `${JSON.stringify(name)}:${printJson(value)}`,
  );
  return json.brackets[0] + slots.join() + json.brackets[1];
};

const slotsIn = (json: JsonText): number =>
  typeof json === 'string' ? 0 : json.slots.reduce((count, { value }) => count + 1 + slotsIn(value), 0);

/** Edits one slot, counted from the outside in and around. */
export const editSlot = (json: JsonText, at: number, edit: Edit): JsonText => {
  let ahead = at % Math.max(1, slotsIn(json));
  const walk = (inner: JsonText): JsonText =>
    typeof inner === 'string'
      ? inner
      : {
          ...inner,
          slots: inner.slots.flatMap((slot) =>
            ahead-- === 0 ? edit(slot) : [{ ...slot, value: walk(slot.value) }],
          ),
        };
  return walk(json);
};
