/** An item of a load, and its place in its source. */
export type LocatedItem<Item = unknown> = SourcePlace & {
  /** Always `LocatedItem`. */
  readonly _tag: 'LocatedItem';
  readonly item: Item;
};

/** A place in a source, as far as it is known. */
export type SourcePlace = {
  /** The name of the file. */
  readonly file?: string;
  /** The line, counted from 1. */
  readonly line?: number;
};

/**
 * Names the place of an item in its source. Every issue of the item carries it.
 *
 * @example
 * await records.importer.load([locateItem(text, { file: 'bundle.json' })]);
 */
export const locateItem = <Item>(item: Item, { file, line }: SourcePlace): LocatedItem<Item> => ({
  _tag: 'LocatedItem',
  item,
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
});

/** Whether an item of a load names its place. */
export const isLocated = (sent: unknown): sent is LocatedItem =>
  typeof sent === 'object' && sent !== null && '_tag' in sent && sent._tag === 'LocatedItem';
