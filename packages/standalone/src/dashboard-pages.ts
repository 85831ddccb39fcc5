import Router from '@koa/router';
import { createDashboardRouter } from '@probity/dashboard/koa';
import type { Middleware } from 'koa';

/** The dashboard below `/dashboard`; `/` leads a browser there. */
export function dashboardPages(): Middleware {
  const router = new Router();
  router.get('/', async (ctx, next) => {
    if (!ctx.get('Accept').includes('text/html')) return next();
    ctx.redirect('./dashboard/');
  });
  router.use('/dashboard', createDashboardRouter().routes());
  return router.routes() as Middleware;
}
