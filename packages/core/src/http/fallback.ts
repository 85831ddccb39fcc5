import type { Middleware } from 'koa';
import { systemClock } from '../clock.ts';
import { ProbityError, toProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { createAnswerQueue } from './answer-queue.ts';
import type { ErrorDialect } from './dialect.ts';
import { stateOf } from './request-state.ts';
import { answerError } from './router.ts';

/** What surrounds the routers of a whole application. */
export interface FallbackOptions {
  /** The error form of a path. */
  readonly dialectOf: (path: string) => ErrorDialect;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * The outermost middleware of an application of our own: answers what no router does, in the
 * error form of the path. It writes the answers of endpoints by itself (see
 * {@link createAnswerQueue}), past Koa, so that nothing outside of it sees them.
 */
export function answerUnknownPaths({ dialectOf, ids, logger }: FallbackOptions): Middleware {
  const queue = createAnswerQueue(systemClock);
  return async (ctx, next) => {
    const request = stateOf(ctx, ids, true);
    let error: ProbityError | undefined;
    try {
      await next();
      if (!request.isAnswered && ctx.res.statusCode === 404 && ctx.body === undefined) {
        error = new ProbityError('not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`);
      }
    } catch (thrown) {
      error = toProbityError(thrown);
      if (error.status >= 500) {
        logger.error('a request failed', {
          request_id: request.requestId,
          error: error.cause ?? error,
        });
      }
    }
    if (error) {
      const status = answerError(ctx, request, error, dialectOf(ctx.path));
      const { method, path } = ctx;
      const fields = { request_id: request.requestId, method, path: path.slice(0, 200), status };
      logger.info('request', fields);
    }
    request.finish(ctx, queue);
  };
}
