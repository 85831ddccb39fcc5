import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dashboard } from './dashboard.ts';

/** A request of node:http; Express leaves the whole address in `originalUrl` where it cuts the mount off. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string };

/**
 * A handler for node:http, Express (`app.use('/dashboard', handler)`) and everything that calls functions of this
 * form. `request.url` is the path below the mount, as Express passes it.
 */
export function toNodeHandler(
  dashboard: Dashboard,
): (request: MountedRequest, response: ServerResponse) => void {
  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const whole = pathOf(request.originalUrl ?? '/');
    if (path === '/' && !whole.endsWith('/')) {
      const query = /\?.*$/.exec(request.url ?? '')?.[0] ?? '';
      const name = whole.slice(whole.lastIndexOf('/') + 1);
      response.writeHead(308, { Location: `./${name}/${query}` }).end();
      return;
    }
    dashboard
      .answer({ method: request.method ?? 'GET', path, headers: request.headers })
      .then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(body ?? undefined),
      )
      .catch((error: unknown) => response.destroy(error as Error));
  };
}

function pathOf(url: string): string {
  return url.split('?')[0] || '/';
}
