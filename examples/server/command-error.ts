/** Why the server does not start, in a line for whoever started it. 2: what it was told to do is wrong. 1: it could not be done. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What an operating system says of a file, in words. */
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

/** A file or folder that cannot be read, and why. */
export const unreadableError = (what: string, cause: unknown): CommandError =>
  new CommandError(`cannot read ${what}: ${reasonOf(cause)}`);
