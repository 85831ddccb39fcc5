import type { Middleware } from 'koa';
import type { Clock } from '../clock.ts';
import { ProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { createAnswerQueue } from './answer-queue.ts';
import type { ErrorFormat } from './error-format.ts';
import { answerFailure } from './errors.ts';
import { stateOf } from './request-state.ts';

/** Dependencies of the outermost middleware. */
export interface ApplicationMiddlewareOptions {
  /** The error format of a path. */
  readonly errorFormatOf: (path: string) => ErrorFormat;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Further headers of every answer; default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The outermost middleware of an application that consists of endpoint routers: creates the state
 * of each request, answers unknown paths and errors of other middleware in the error format of the
 * path, and writes the responses of endpoints bypassing Koa (see {@link createAnswerQueue}), so
 * that middleware outside of it does not see them.
 */
export function createApplicationMiddleware({
  errorFormatOf,
  clock,
  ids,
  logger,
  headers = {},
}: ApplicationMiddlewareOptions): Middleware {
  const queue = createAnswerQueue(clock);
  const further = Object.entries(headers);
  return async (ctx, next) => {
    const request = stateOf(ctx, ids, true);
    for (const [name, value] of further) request.addHeader(name, value);
    let failure: { readonly thrown: unknown } | undefined;
    try {
      await next();
      if (!request.isAnswered && ctx.res.statusCode === 404 && ctx.body === undefined) {
        const message = `No route matches ${ctx.path.slice(0, 200)}.`;
        failure = { thrown: new ProbityError('not_found', message) };
      }
    } catch (thrown) {
      failure = { thrown };
    }
    if (failure) {
      const errorFormat = errorFormatOf(ctx.path);
      const status = answerFailure(failure.thrown, { ctx, request, errorFormat, logger });
      const { method, path } = ctx;
      const fields = { request_id: request.requestId, method, path: path.slice(0, 200), status };
      logger.info('request', fields);
    }
    request.finish(queue);
  };
}
