import type { Context } from 'koa';

/** The body of a request that a body parser of the host has read: its bytes, or its parsed value. */
export type ParsedBody = { readonly bytes: Buffer } | { readonly value: unknown };

/** Where body parsers leave what they have read. */
interface BodyHolder {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * The body that a parser mounted before Probity has read, from where parsers of Koa, Express,
 * Fastify and Nest keep it; undefined when the request has not been read. Without this a reader
 * would wait for ever for the end of a stream that has ended.
 *
 * @throws Error when the body was read and is kept nowhere
 */
export function parsedBodyOf({ req, request }: Context): ParsedBody | undefined {
  if (!req.readableDidRead && !req.readableEnded) return undefined;
  const holders = [request, req] as readonly BodyHolder[];
  for (const kept of holders.flatMap(({ rawBody, body }) => [rawBody, body])) {
    if (Buffer.isBuffer(kept)) return { bytes: kept };
    if (typeof kept === 'string') return { bytes: Buffer.from(kept) };
  }
  const holder = holders.find(({ body }) => body !== undefined);
  if (holder) return { value: holder.body };
  throw new Error(
    'A body parser has read the request and kept the body neither in body nor in rawBody: mount ' +
      'Probity before the parser, or exclude the paths of Probity from it.',
  );
}
