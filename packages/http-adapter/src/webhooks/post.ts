import { parseHttpDate } from '../http-date.ts';
import type { Attempt, Delivery } from './delivery-queue.ts';
import { signedHeaders } from './signature.ts';
import type { WebhookOptions } from './webhook-options.ts';

/** The response to a delivery. */
export type PostResponse = Pick<Attempt, 'status' | 'error'> & {
  /** When the endpoint wants to be asked again, in milliseconds since 1970; null if it does not say so. */
  readonly retryAt: number | null;
};

/** The longest time in milliseconds for which an endpoint can put its deliveries off: a day. */
const longestRetryAfter = 86_400_000;

/** Source: RFC 9110, 10.2.3. */
const retryAtOf = (retryAfter: string, at: Date): number | null => {
  const now = at.getTime();
  const retryAt = /^\d+$/.test(retryAfter) ? now + 1000 * Number(retryAfter) : parseHttpDate(retryAfter, at);
  return retryAt === undefined ? null : Math.min(retryAt, now + longestRetryAfter);
};

/** Creates a function that posts a delivery, signed with each of the keys. */
export const createPost =
  (
    url: URL,
    keys: readonly Uint8Array[],
    { fetch, timeout, clock }: Required<Pick<WebhookOptions, 'fetch' | 'timeout' | 'clock'>>,
  ) =>
  async ({ webhookId, body }: Delivery): Promise<PostResponse> => {
    const at = clock().getTime();
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { webhookId, body, at }) };
    const signal = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return {
        status: response.status,
        retryAt: retryAtOf(response.headers.get('retry-after') ?? '', clock()),
      };
    } catch (error) {
      return { status: null, error, retryAt: null };
    }
  };
