/** A version of a resource that an answer contains or is about. */
export type ReturnedResource = {
  /** The type, such as `Goal`. */
  readonly type: string;
  readonly id: string;
  /** The number of the version; null if the resource has none. */
  readonly version: number | null;
  /** The patient to whom the resource belongs; null if it belongs to none. */
  readonly patientId: string | null;
};

/** The content of an answer, or a part of it. */
export type Returned = {
  /** The versions that the answer contains, included ones too. After a write, the version that was written. */
  readonly resources: readonly ReturnedResource[];
  /** The patients whom a search names, or whose history is read. They count as seen even if nothing of them is shown. */
  readonly searchedPatientIds: readonly string[];
};

/**
 * The kind of an access. `$everything`, `$export` and a stream of events are operations, and the only delete is an erasure.
 * Source: FHIR R4, RESTful API, and its code system `restful-interaction`.
 */
export type AccessInteraction =
  | ('read' | 'vread' | 'history' | 'search')
  | ('create' | 'update' | 'delete')
  | 'operation';

/** An access, with its user and its answer: one request over HTTP, or one call in process that names a user. */
export type AccessEvent = {
  /** When the answer was ready, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** A reference to the user, such as `Practitioner/12`; null if the user is not known. */
  readonly by: string | null;
  /** The client that acts for the user; null if it is not known. */
  readonly client: string | null;
  /** The network address of the client; null for a call in process, or if it is not known. */
  readonly address: string | null;
  /** The operation; null if the interface does not have it. */
  readonly interaction: AccessInteraction | null;
  /** The type of resource that was asked for; null if the interface does not have it. */
  readonly resourceType: string | null;
  /** The id that was asked for; null if there is none. */
  readonly id: string | null;
  /** The parameters of a search as a query string; empty if there are none. */
  readonly query: string;
  /** Everything that the answer contains, or that a write has written. */
  readonly resources: readonly ReturnedResource[];
  /** The patients who were seen: those of the resources, those whom a search names, and those of a history. Each once. */
  readonly patientIds: readonly string[];
  /** `refused` if the sender has to change something, and `failed` if the server or the store failed. */
  readonly outcome: 'success' | 'refused' | 'failed';
  /** The names of the broken rules, in `docs/errors.md`; empty for a success. */
  readonly rules: readonly string[];
  /** The HTTP status; null for a call in process. */
  readonly status: number | null;
  /** The `X-Request-Id` of the request and its response; null for a call in process. */
  readonly requestId: string | null;
};

/**
 * Is called with each access, and awaited before the answer is returned. If it rejects, the answer is a `StoreFailure` that
 * contains nothing of a chart.
 */
export type OnAccess = (event: AccessEvent) => PromiseLike<unknown> | unknown;
