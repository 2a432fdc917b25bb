import { type ClinicalStore, orThrow, type Position } from '@clinical-records/core/store';

/** The types of people and organizations that a search finds by their name. */
export const namedTypes = ['Patient', 'Practitioner', 'Organization'] as const;

export type NamedType = (typeof namedTypes)[number];

/** Somebody in the directory, or an organization, by the whole name. */
export type NamedEntry = { readonly id: string; readonly name: string };

type DirectoryState = {
  readonly lastName?: string;
  readonly firstName?: string | null;
  readonly name?: string;
};

const nameOf = ({ lastName = '', firstName, name }: DirectoryState): string =>
  name ?? [lastName, firstName ?? ''].filter((part) => part !== '').join(' ');

const isNamedType = (type: string): type is NamedType => (namedTypes as readonly string[]).includes(type);

const pageSize = 500;

/** Returns the names of all entries of a type, as they are now. */
export type ReadNames = (type: NamedType) => Promise<readonly NamedEntry[]>;

/**
 * Keeps the names of the directory in memory, and reads what is new in the feed before each answer. It is for a small clinic:
 * a host of its own asks its tables of people.
 */
export const createPeopleIndex = (store: Pick<ClinicalStore, 'changesSince'>): ReadNames => {
  const names = new Map(namedTypes.map((type) => [type, new Map<string, string>()]));
  let position: Position | undefined;
  let reading: Promise<void> = Promise.resolve();

  const readOn = async (): Promise<void> => {
    for (;;) {
      const entries = await orThrow(store.changesSince({ position, limit: pageSize }));
      for (const { type, id, state } of entries) {
        if (isNamedType(type)) names.get(type)?.set(id, nameOf(JSON.parse(state)));
      }
      position = entries.at(-1)?.position ?? position;
      if (entries.length < pageSize) return;
    }
  };

  return async (type) => {
    // One after the other, so that no version is read twice.
    const turn = reading.then(readOn);
    reading = turn.catch(() => {});
    await turn;
    return [...(names.get(type) ?? [])].map(([id, name]) => ({ id, name }));
  };
};
