import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { TraceSpan, Tracing } from './tracing.ts';

/** Traces requests over HTTP. */
export interface HttpTraces {
  /** The outermost middleware. */
  readonly middleware: Middleware;
  /** The span of a request that an endpoint serves; the path of its declaration names the span. */
  readonly traceOf: (raw: IncomingMessage, route: string) => TraceSpan | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Begins a span with each request to an entrance; it ends with the answer, a streamed one included. Path and query of
 * the request are not exported: callers write into them what they like.
 *
 * @param hash names the configuration
 * @param isTraced whether requests to a path are traced
 */
export function createHttpTraces(
  tracing: Tracing,
  hash: string,
  isTraced: (path: string) => boolean,
): HttpTraces {
  const spans = new WeakMap<IncomingMessage, TraceSpan>();
  const middleware: Middleware = (ctx, next) => {
    if (!isTraced(ctx.path)) return next();
    const { req, res } = ctx;
    const method = METHODS.has(req.method ?? '') ? (req.method as string) : '_OTHER';
    const span = tracing.start(
      method === '_OTHER' ? 'HTTP' : method,
      (name) => req.headers[name]?.toString(),
      {
        'http.request.method': method,
        'url.scheme': 'encrypted' in req.socket ? 'https' : 'http',
        'network.protocol.version': req.httpVersion,
        'probity.config_hash': hash,
      },
    );
    if (span) {
      spans.set(req, span);
      // One more than those that Node warns of as a leak.
      res.setMaxListeners(res.getMaxListeners() + 1);
      res.once('close', () => endRequest(span, res.headersSent ? res.statusCode : null));
    }
    return next();
  };
  return {
    middleware,
    traceOf(raw, route) {
      const span = spans.get(raw);
      if (span?.isRecorded) {
        span.set({ 'http.route': route });
        span.rename(`${raw.method} ${route}`);
      }
      return span;
    },
  };
}

/** @param status null where the caller left before it was answered */
function endRequest(span: TraceSpan, status: number | null): void {
  if (span.isRecorded) {
    if (status === null) span.set({ 'error.type': 'canceled' });
    else span.set({ 'http.response.status_code': status });
    if (status !== null && status >= 500) span.fail(String(status));
  }
  span.end();
}
