import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Looks whether the files that a process has open are still those under their names. */
export type FileWatch = {
  /** Remembers which files these are. Before that, any are the same. */
  readonly start: () => void;
  /** Whether they are, at this moment. Once they are not, nothing is as it was before. */
  readonly isInPlace: () => boolean;
  /** The same, as it was within the last second. */
  readonly wasInPlace: () => boolean;
};

const checkInterval = 1000;

/** What is under a name; undefined where that cannot be found out either. */
const stat = (name: string) => {
  try {
    return statSync(name, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

type FileIdentity = { readonly name: string; readonly file: ReturnType<typeof stat> };

/**
 * Watches the file of a handle, and those beside it with other endings. Of a database that is not in a file, and of one that is
 * named by a URI, there is nothing to watch.
 */
export const createFileWatch = (
  { name = '', memory = true }: { readonly name?: string; readonly memory?: boolean },
  ...endings: readonly string[]
): FileWatch => {
  const path = resolve(name.trim());
  let identities: readonly FileIdentity[] = [];
  let isInPlace = true;
  let checkedAt = performance.now();

  const start = (): void => {
    if (memory || name.startsWith('file:') || stat(path) === undefined) return;
    // SQLite puts other files beside the file itself, and not beside a link to it.
    const names = [path, ...endings.map((ending) => realpathSync(path) + ending)];
    identities = names.map((one) => ({ name: one, file: stat(one) }));
  };

  const check = (): boolean => {
    checkedAt = performance.now();
    isInPlace &&= identities.every((before) => {
      const now = stat(before.name);
      return now?.ino === before.file?.ino && now?.dev === before.file?.dev;
    });
    return isInPlace;
  };

  return {
    start,
    isInPlace: check,
    wasInPlace: () => (performance.now() - checkedAt > checkInterval ? check() : isInPlace),
  };
};
