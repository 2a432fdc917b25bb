import type { ClinicalRecords, ResourceChange } from '@clinical-records/core';
import type { Backoff } from './backoff.ts';
import type { Attempt, DeliveryQueue } from './delivery-queue.ts';

/** An endpoint, and how changes are posted to it. Times are in milliseconds. */
export type WebhookOptions = {
  /** Has the feed that is posted. */
  readonly records: Pick<ClinicalRecords, 'changes'>;
  /** The queue of this endpoint. No other endpoint shares it. */
  readonly queue: DeliveryQueue;
  /** Where to post: https, or http on this machine. */
  readonly url: string | URL;
  /**
   * `whsec_` and 24 to 64 random bytes in base64, shared with this endpoint only. Several secrets make a signature each,
   * so that a new one can replace an old one.
   */
  readonly secret: string | readonly string[];
  /** Whether the resource is in the body, as it is at that version. Default: false. */
  readonly includeResource?: boolean;
  /** Which changes the endpoint gets. Default: all. */
  readonly filter?: (change: ResourceChange) => boolean;
  /** How many deliveries are sent at once, each of another record. Default: 8. */
  readonly concurrency?: number;
  /** How long an attempt may take. Default: 15 seconds. */
  readonly timeout?: number;
  /** The delays of failed deliveries. The default begins with one second, and ends with ten minutes. */
  readonly backoff?: Backoff;
  /** After how many attempts a delivery is a dead letter. Default: never. */
  readonly attemptLimit?: number;
  /** How long `run` waits for new changes. Default: one second. */
  readonly pollInterval?: number;
  /** Called after each attempt, for example to log it. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** Default: the clock of this machine. */
  readonly clock?: () => Date;
  /** Waits so many milliseconds, or until the signal is aborted. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 up to 1, for the jitter of the delays. Default: `Math.random`. */
  readonly random?: () => number;
};
