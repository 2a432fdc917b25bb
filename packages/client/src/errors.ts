/** An issue of an OperationOutcome, as the server says it. */
export type OutcomeIssue = {
  readonly severity: 'fatal' | 'error' | 'warning' | 'information';
  readonly code: string;
  readonly details?: {
    readonly coding?: readonly { readonly system?: string; readonly code?: string }[];
    readonly text?: string;
  };
  readonly diagnostics?: string;
  /** The paths of the elements, such as `Immunization.vaccineCode`. */
  readonly expression?: readonly string[];
};

/** A response that refuses a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** The status of HTTP: 412 if the resource has changed since it was read, 422 if a rule refuses the write. */
  readonly status: number;
  /** All issues that the server found. */
  readonly issues: readonly OutcomeIssue[];
  /** The id of the request in the log of the server. */
  readonly requestId: string | null;
  /** Whether an attempt before had no response, and may have been done. */
  readonly wasLost: boolean;

  /** Made by the client, of a response and what it says. */
  constructor(response: Response, issues: readonly OutcomeIssue[], { wasLost = false } = {}) {
    super(
      issues[0]?.diagnostics ?? issues[0]?.details?.text ?? `The server responded with ${response.status}.`,
    );
    this.status = response.status;
    this.issues = issues;
    this.requestId = response.headers.get('x-request-id');
    this.wasLost = wasLost;
  }

  /** Whether somebody else has changed the resource since it was read. Read it again, and decide again. */
  get isConflict(): boolean {
    return this.status === 412;
  }

  /** The issues of an element, such as `Immunization.vaccineCode`, and of the elements within. */
  issuesOf(element: string): readonly OutcomeIssue[] {
    const isWithin = (path: string) =>
      path.startsWith(element) && /^($|[.[])/.test(path.slice(element.length));
    return this.issues.filter(({ expression = [] }) => expression.some(isWithin));
  }
}

/** A request that got no response in time. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether the server may have done what the request asked for. */
  readonly mayBeWritten: boolean;

  /** Made by the client, of the reason why there is no response. */
  constructor(cause: unknown, { mayBeWritten }: { readonly mayBeWritten: boolean }) {
    super('The server did not respond. Try again.', { cause });
    this.mayBeWritten = mayBeWritten;
  }
}

/** The error of a response that refuses a request. */
export const requestErrorOf = async (
  response: Response,
  lost: { readonly wasLost: boolean },
): Promise<RequestError> => {
  const body = (await response.json().catch(() => null)) as { readonly issue?: unknown } | null;
  return new RequestError(response, Array.isArray(body?.issue) ? body.issue : [], lost);
};
