/** What clients may take of a server. Times are in milliseconds. */
export type ConnectionLimits = {
  /** How many connections may be open; a further one is closed at once. 4,000, if this is not given. */
  readonly maxConnections?: number;
  /** How long the head of a request may take; 10 s, if this is not given. */
  readonly headersTimeout?: number;
  /** How long a whole request may take, with its body; 30 s, if this is not given. Uploads of the host may need more. */
  readonly requestTimeout?: number;
  /** How long a connection may stay open after an answer; 5 s, if this is not given. */
  readonly keepAliveTimeout?: number;
  /** How long a client may read nothing of an answer; 10 s, if this is not given. It is cut off within twice that time. */
  readonly readTimeout?: number;
  /** How many bytes a second a client must read of an answer, on average; 1,000, if this is not given. */
  readonly minBytesPerSecond?: number;
  /** How many bytes of answers may wait for all clients together; 32 MiB, if this is not given. */
  readonly maxWaitingBytes?: number;
};
