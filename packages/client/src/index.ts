export type { CallOptions, KeyedCallOptions, ResponseInfo } from './call-options.ts';
export { createClient } from './client.ts';
export type { Download } from './download.ts';
export type { ErrorFacts } from './errors.ts';
export {
  AuthenticationError,
  BlockedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProbityError,
  RateLimitError,
  ResponseError,
  ServerError,
  TimeoutError,
} from './errors.ts';
export type * from './generated/methods.ts';
export type * from './generated/schemas.ts';
export type { TextParts } from './line-body.ts';
export type { Listing } from './listing.ts';
export type { ClientOptions, HeaderSource } from './options.ts';
export type { Page } from './page.ts';
export type { EventStream, ServerSentEvent } from './server-sent-events.ts';
export type { Timing } from './timing.ts';
