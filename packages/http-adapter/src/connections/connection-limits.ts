/** Limits for the clients of a server. Times are in milliseconds. */
export type ConnectionLimits = {
  /** The most open connections; a further one is closed at once. Default: 4,000. */
  readonly maxConnections?: number;
  /** The longest time to send the headers of a request. Default: 10 s. */
  readonly headersTimeout?: number;
  /** The longest time to send a request with its body. Default: 30 s. Uploads to the host may need more. */
  readonly requestTimeout?: number;
  /** How long a connection may stay open after a response. Default: 5 s. */
  readonly keepAliveTimeout?: number;
  /** How long a client may read nothing of a response. Default: 10 s. It is disconnected within twice that time. */
  readonly readTimeout?: number;
  /** The bytes of a response that a client must read each second, on average. Default: 1,000. */
  readonly minBytesPerSecond?: number;
  /** The most bytes of responses that may wait for all clients together. Default: 32 MiB. */
  readonly maxWaitingBytes?: number;
};
