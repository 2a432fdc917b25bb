/**
 * A failure of the command, in one line for the user. The exit code is 2 if the arguments are wrong, and 1 if the work
 * failed.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Does the work of the process. A `CommandError` becomes a line of its own and the exit code. */
export const endWithErrors = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    process.stderr.write(`clinical-records: ${cause.message}\n`);
    process.exitCode = cause.exitCode;
  }
};

/** The error of an operating system for a file, in words. */
const reasonOf = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'EACCES':
      return 'permission is denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'it is not a folder';
    default:
      return message;
  }
};

/** The error for a file or folder that cannot be read, with the reason. */
export const unreadableError = (what: string, cause: unknown): CommandError =>
  new CommandError(`cannot read ${what}: ${reasonOf(cause)}`);

/** The error for a file that cannot be created, with the reason. */
export const uncreatableError = (filename: string, cause: unknown): CommandError =>
  new CommandError(
    `cannot create ${filename}: ${reasonOf(cause)}`,
    /^(ENOSPC|EDQUOT|EIO)$/.test((cause as NodeJS.ErrnoException).code ?? '') ? 1 : 2,
  );
