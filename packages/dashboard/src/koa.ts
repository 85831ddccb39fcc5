import Router from '@koa/router';
import type { DashboardOptions } from './dashboard.ts';
import { createDashboard } from './dashboard.ts';

export type { DashboardOptions } from './dashboard.ts';

/**
 * A router of the dashboard's pages and files, to be mounted under any prefix: `app.use(createDashboardRouter().routes())`
 * after `router.prefix('/dashboard')`, or nested in another router.
 * @throws Error when the files are missing; TypeError when an option is not usable
 */
export function createDashboardRouter(options: DashboardOptions = {}): Router {
  const dashboard = createDashboard(options);
  const router = new Router();
  router.all('{/*path}', async (ctx) => {
    const below = ctx.params.path;
    if (below === undefined && !ctx.path.endsWith('/')) {
      ctx.redirect(`./${ctx.path.slice(ctx.path.lastIndexOf('/') + 1)}/${ctx.search}`);
      ctx.status = 308;
      return;
    }
    const path = `/${below ?? ''}${below !== undefined && ctx.path.endsWith('/') && !below.endsWith('/') ? '/' : ''}`;
    const answer = await dashboard.answer({ method: ctx.method, path, headers: ctx.headers });
    ctx.status = answer.status;
    ctx.set({ ...answer.headers });
    ctx.body = answer.body;
    if (answer.body === null) ctx.status = answer.status;
  });
  return router;
}
