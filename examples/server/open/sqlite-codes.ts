/**
 * Whether the file is ours and cannot be used because of a failing disk, a lock or damage. Otherwise it is the wrong
 * file.
 */
export const isUnusable = (cause: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|BUSY|CORRUPT)/.test((cause as NodeJS.ErrnoException).code ?? '');

/** Whether SQLite reports that a file is damaged, or is not a database. */
export const isSqliteDamage = (cause: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test((cause as NodeJS.ErrnoException).code ?? '');
