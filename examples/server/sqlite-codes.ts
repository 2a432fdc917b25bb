/** Whether the file is ours and cannot be used: the disk fails, somebody else holds it, or it is damaged. Else it is the wrong file. */
export const isUnusable = (cause: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|BUSY|CORRUPT)/.test((cause as NodeJS.ErrnoException).code ?? '');

/** Whether SQLite finds that a file is damaged, or no database at all. */
export const isSqliteDamage = (cause: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test((cause as NodeJS.ErrnoException).code ?? '');
