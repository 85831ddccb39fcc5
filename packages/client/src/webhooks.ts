export type { EventsOf, ProbityEvents, WebhookEvent } from './generated/webhooks/events.ts';
export type { HeaderSource } from './generated/webhooks/headers.ts';
export type { RawBody } from './generated/webhooks/raw-body.ts';
export type { Secrets } from './generated/webhooks/secrets.ts';
export type { VerificationErrorCode } from './generated/webhooks/verification-error.ts';
export { WebhookVerificationError } from './generated/webhooks/verification-error.ts';
export type { VerifyOptions } from './generated/webhooks/verify.ts';
export { verifyServiceSignature, verifyWebhook } from './generated/webhooks/verify.ts';
