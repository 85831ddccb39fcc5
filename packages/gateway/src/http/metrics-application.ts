import type { Clock, Ids, Logger } from '@probity/core';
import type { RenderedMetrics, RequestHandler } from '@probity/core/koa';
import { createApplicationMiddleware, generalErrors } from '@probity/core/koa';
import Koa from 'koa';

/** Dependencies of the metrics listener. */
export interface MetricsApplicationParts extends RenderedMetrics {
  /** The path in force. */
  readonly path: () => string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** The application of the metrics port. */
export function createMetricsApplication(parts: MetricsApplicationParts): RequestHandler {
  const { render, path, clock, ids, logger } = parts;
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  const silent = { ...logger, info: logger.debug };
  application.use(
    createApplicationMiddleware({ errorFormatOf: () => generalErrors, clock, ids, logger: silent }),
  );
  application.use(async (ctx, next) => {
    if (ctx.path !== path() || ctx.method !== 'GET') return next();
    const { contentType, body } = await render();
    ctx.set('Content-Type', contentType);
    ctx.body = body;
  });
  return application.callback();
}
