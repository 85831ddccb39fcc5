export type { EventsOf, ProbityEvents, WebhookEvent } from './receiving/events.ts';
export type { HeaderSource } from './receiving/headers.ts';
export type { RawBody } from './receiving/raw-body.ts';
export type { Secrets } from './receiving/secrets.ts';
export type { VerificationErrorCode } from './receiving/verification-error.ts';
export { WebhookVerificationError } from './receiving/verification-error.ts';
export type { VerifyOptions } from './receiving/verify.ts';
export { verifyServiceSignature, verifyWebhook } from './receiving/verify.ts';
