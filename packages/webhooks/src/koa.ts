export type { WebhookCapabilityOptions } from './capability.ts';
export { createWebhookCapability } from './capability.ts';
export type { WebhookServices } from './http.ts';
export { createWebhookRouter, webhookEndpoints } from './http.ts';
