import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request to the endpoint. The body is the text that was sent, before anything parses it. */
export type WebhookRequest = { readonly headers: Headers; readonly body: string; readonly at: Date };

/** The clocks of both sides may differ by so many seconds, and an older request may be a recorded one. */
const tolerance = 300;

/** Whether a request is from the owner of the secret, and was sent a short time ago. */
export const isVerified = ({ headers, body, at }: WebhookRequest, secret: string): boolean => {
  const seconds = headers.get('webhook-timestamp');
  if (!(Math.abs(at.getTime() / 1000 - Number(seconds)) <= tolerance)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers.get('webhook-id')}.${seconds}.${body}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return (headers.get('webhook-signature') ?? '')
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
};

/** The newest version of each resource, as an endpoint might keep it. */
export type Received = { readonly ids: Set<string>; readonly versions: Map<string, number> };

/** Keeps the newest version of a resource. Returns the status of the response. */
export const receive = (request: WebhookRequest, secret: string, { ids, versions }: Received): number => {
  if (!isVerified(request, secret)) return 401;
  const webhookId = `${request.headers.get('webhook-id')}`;
  if (ids.has(webhookId)) return 204;
  const { resourceType, id, version } = JSON.parse(request.body).data;
  const record = `${resourceType}/${id}`;
  // In a database, one transaction writes both.
  versions.set(record, Math.max(version, versions.get(record) ?? 0));
  ids.add(webhookId);
  return 204;
};
