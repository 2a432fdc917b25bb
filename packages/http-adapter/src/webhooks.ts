/**
 * Posts the feed of changes to endpoints of other systems, signed as Standard Webhooks demands.
 * You need it if other systems want to be told of changes.
 *
 * @module @clinical-records/http-adapter/webhooks
 */

export type { Attempt, Delivery, DeliveryQueue } from './webhooks/delivery-queue.ts';
export type { Backoff } from './webhooks/post.ts';
export { createWebhook, type Webhook, type WebhookOptions } from './webhooks/webhook.ts';
