import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** The key of a secret. Throws a RangeError. Source: Standard Webhooks 1.0.0, "Signature scheme". */
export const parseSecret = (secret: string): Uint8Array => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const isSecret = `${prefix}${key.toString('base64')}` === secret && key.length >= 24 && key.length <= 64;
  if (!isSecret) throw new RangeError('secret must be whsec_ and 24 to 64 random bytes in base64.');
  return key;
};

/** The headers that identify and sign a body. Source: Standard Webhooks 1.0.0, "Webhook headers". */
export const signedHeaders = (
  keys: readonly Uint8Array[],
  { webhookId, body, at }: { readonly webhookId: string; readonly body: string; readonly at: number },
) => {
  const seconds = Math.floor(at / 1000);
  const signatures = keys.map((key) =>
    createHmac('sha256', key).update(`${webhookId}.${seconds}.${body}`).digest('base64'),
  );
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
};
