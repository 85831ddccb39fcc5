import type { Middleware } from 'koa';
import { ProbityError, toProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logger.ts';
import type { ErrorDialect } from './dialect.ts';
import { openRequest } from './request-state.ts';
import { writeError } from './router.ts';

/** What surrounds the routers of a whole application. */
export interface FallbackOptions {
  /** The error form of a path. */
  readonly dialectOf: (path: string) => ErrorDialect;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * The outermost middleware of an application of our own: answers what no router does, in the
 * error form of the path.
 */
export function answerUnknownPaths({ dialectOf, ids, logger }: FallbackOptions): Middleware {
  return async (ctx, next) => {
    const requestId = openRequest(ctx, ids);
    let error: ProbityError | undefined;
    try {
      await next();
      if (ctx.res.statusCode === 404 && ctx.body === undefined) {
        error = new ProbityError('not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`);
      }
    } catch (thrown) {
      error = toProbityError(thrown);
      if (error.status >= 500) {
        logger.error('a request failed', { request_id: requestId, error: error.cause ?? error });
      }
    }
    if (!error) return;
    writeError(ctx, error, dialectOf(ctx.path), requestId);
    logger.info('request', {
      request_id: requestId,
      method: ctx.method,
      path: ctx.path.slice(0, 200),
      status: ctx.status,
    });
  };
}
