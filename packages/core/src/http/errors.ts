import type { Context } from 'koa';
import type { ProbityError } from '../errors.ts';
import { toProbityError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { unsetLogger } from '../logging/logger.ts';
import { hasBody } from './body.ts';
import type { ErrorFormat } from './error-format.ts';
import type { RequestState } from './request-state.ts';

/** A failed request, and where the failure is reported. */
export interface FailedRequest {
  readonly ctx: Context;
  readonly request: RequestState;
  readonly errorFormat: ErrorFormat;
  readonly logger: Logger;
}

/** Responds with the error in the interface's format; logs it unless the request is at fault. */
export function answerFailure(thrown: unknown, failed: FailedRequest): number {
  const { ctx, request, errorFormat, logger } = failed;
  const error = toProbityError(thrown);
  // What is not implemented is known; of a failure because the client disconnected no one reads the response.
  if (error.status >= 500 && error.kind !== 'not_implemented' && !ctx.res.destroyed) {
    if (logger === unsetLogger) ctx.app.emit('error', error.cause ?? error, ctx);
    // Without a cause it is a refusal by a limit of ours, which works as it should.
    const isRefusal = error.kind === 'unavailable' && error.cause === undefined;
    logger[isRefusal ? 'warn' : 'error']('a request failed', {
      request_id: request.requestId,
      error: error.cause ?? error,
    });
  }
  closeAfterUnreadBody(ctx, request);
  return answerError(error, { ctx, request, errorFormat });
}

/** Responds with an error in the interface's format; returns the status. */
function answerError(
  error: ProbityError,
  { ctx, request, errorFormat }: Omit<FailedRequest, 'logger'>,
): number {
  const status = errorFormat.status(error);
  request.setHeaders({ ...error.headers, 'Content-Type': errorFormat.contentType });
  request.answer(ctx, status, JSON.stringify(errorFormat.body(error, request.requestId)));
  return status;
}

/**
 * No response may follow on a socket whose request body is partly unread; streams of HTTP/2 end by
 * themselves, and have no header Connection.
 */
export function closeAfterUnreadBody(ctx: Context, request: RequestState): void {
  if (ctx.req.httpVersionMajor < 2 && hasBody(ctx.req) && !ctx.req.readableEnded)
    request.setHeaders({ Connection: 'close' });
}
