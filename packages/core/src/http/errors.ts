import type { Context } from 'koa';
import type { ProbityError } from '../errors.ts';
import { toProbityError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { hasBody } from './body.ts';
import type { ErrorFormat } from './error-format.ts';
import type { RequestState } from './request-state.ts';

/** A request that failed, and where that is told. */
export interface FailedRequest {
  readonly ctx: Context;
  readonly request: RequestState;
  readonly errorFormat: ErrorFormat;
  readonly logger: Logger;
}

/** Answers with what was thrown, in the interface's form, and logs what is no fault of the request. */
export function answerFailure(thrown: unknown, failed: FailedRequest): number {
  const { ctx, request, errorFormat, logger } = failed;
  const error = toProbityError(thrown);
  // What fails because the client has gone is no failure of ours, and nobody reads the answer.
  if (error.status >= 500 && !ctx.res.destroyed) {
    logger.error('a request failed', {
      request_id: request.requestId,
      error: error.cause ?? error,
    });
  }
  closeAfterUnreadBody(ctx, request);
  return answerError(error, { ctx, request, errorFormat });
}

/** Answers with an error in the interface's form; returns the status. */
function answerError(
  error: ProbityError,
  { ctx, request, errorFormat }: Omit<FailedRequest, 'logger'>,
): number {
  const status = errorFormat.status(error);
  request.setHeaders({ ...error.headers, 'Content-Type': errorFormat.contentType });
  request.answer(ctx, status, JSON.stringify(errorFormat.body(error, request.requestId)));
  return status;
}

/** An answer that leaves part of the body unread must not be followed by another on its socket. */
export function closeAfterUnreadBody(ctx: Context, request: RequestState): void {
  if (hasBody(ctx.req) && !ctx.req.readableEnded) request.setHeaders({ Connection: 'close' });
}
