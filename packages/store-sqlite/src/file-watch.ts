import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Checks whether the open files of a process are still the files under their names. */
export type FileWatch = {
  /** Remembers the files. Before that, any files count as the same. */
  readonly start: () => void;
  /** Whether the files are the same now. Once they are not, the result stays false. */
  readonly isInPlace: () => boolean;
  /** The same, but at most one second old. */
  readonly wasInPlace: () => boolean;
};

const checkInterval = 1000;

/** The file under a name; undefined if there is none or it cannot be read. */
const stat = (name: string) => {
  try {
    return statSync(name, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

type FileIdentity = { readonly name: string; readonly file: ReturnType<typeof stat> };

/**
 * Watches the file of a handle, and files with its name and other endings. It does not watch anything for a database
 * that is not in a file or that is named by a URI.
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
    identities = names.map((name) => ({ name, file: stat(name) }));
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
