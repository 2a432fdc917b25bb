/** The format of a log: sentences for people, or a JSON object on each line for programs. */
export type LogFormat = 'text' | 'json';

/** One request, without anything of a chart: no id, no query and no token. */
type LoggedRequest = {
  readonly method: string;
  /** The template of the path, such as `/fhir/Goal/{id}`; null for a path at which nothing is served. */
  readonly route: string | null;
  /** Null if the client disconnected before it had a response. */
  readonly status: number | null;
  readonly milliseconds: number;
  readonly requestId: string | null;
};

/** How much a line matters to an operator. An `error` is a response that failed. */
type LogLevel = 'info' | 'warn' | 'error';

/** The log of a process, on standard error. */
export type Log = {
  /** Without a level, it is `info`. */
  readonly sentence: (sentence: string, level?: LogLevel) => void;
  /** The cause of a 500 or a 503. */
  readonly error: (cause: Error, requestId: string) => void;
  /** Only a log for programs has the requests. */
  readonly request: (request: LoggedRequest) => void;
};

const now = (): string => new Date().toISOString();

const textLog: Log = {
  sentence: (sentence) => console.error(now(), sentence),
  error: (cause, requestId) => console.error(now(), `request ${requestId}:`, cause),
  request: () => {},
};

/** The code of an error, or of the first of its causes that has one. */
const codeOf = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause ? cause.code : codeOf(cause.cause);
};

/** The places in the code, without the message of the error. */
const placesOf = ({ stack = '' }: Error): readonly string[] =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.trim());

const writeLine = (level: LogLevel, line: object): void =>
  console.error(JSON.stringify({ time: now(), level, ...line }));

const jsonLog: Log = {
  sentence: (message, level = 'info') => writeLine(level, { message }),
  error: (cause, requestId) =>
    writeLine('error', {
      error: cause.message,
      code: codeOf(cause),
      requestId,
      at: placesOf(cause),
    }),
  request: (request) => writeLine((request.status ?? 0) >= 500 ? 'error' : 'info', request),
};

export const createLog = (format: LogFormat): Log => (format === 'json' ? jsonLog : textLog);
