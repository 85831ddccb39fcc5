import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';
import type { ReplyParts } from './reply.ts';

/** A response in one content coding. */
interface Representation {
  readonly bytes: Buffer;
  /** Strong, so it differs between the codings. */
  readonly tag: string;
}

interface Representations {
  readonly plain: Representation;
  readonly gzip: Representation;
}

/** The answer to one request for a response that clients keep. */
interface Revalidated {
  readonly status: 200 | 304;
  readonly bytes: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Encodes the responses of an endpoint, each object once. */
export interface ResponseCache {
  /** The response as the client accepts it, or 304 when the client has it already. */
  revalidate(ctx: Context, reply: ReplyParts): Revalidated;
}

/** Creates the cache of one endpoint. */
export function createResponseCache(): ResponseCache {
  const encoded = new WeakMap<object, Representations>();

  function representationsOf({ content, body }: ReplyParts): Representations {
    const source = (content ? content.data : body) as object;
    const known = encoded.get(source);
    if (known) return known;
    const bytes = source instanceof Uint8Array ? source : Buffer.from(JSON.stringify(source));
    const made = toRepresentations(Buffer.from(bytes));
    encoded.set(source, made);
    return made;
  }

  return {
    revalidate(ctx, reply) {
      const { plain, gzip } = representationsOf(reply);
      const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
      const { bytes, tag } = isCompressed ? gzip : plain;
      // Middleware before the router may have named further headers, such as Origin.
      ctx.vary('Accept-Encoding');
      const vary = ctx.response.get('Vary');
      const headers = { ETag: tag, 'Cache-Control': 'no-cache', Vary: vary };
      if (isKnown(ctx.get('If-None-Match'), tag)) return { status: 304, bytes: undefined, headers };
      const coding = isCompressed ? { 'Content-Encoding': 'gzip' } : {};
      return { status: 200, bytes, headers: { ...headers, ...coding } };
    },
  };
}

function toRepresentations(bytes: Buffer): Representations {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return {
    plain: { bytes, tag: `"${hash}"` },
    gzip: { bytes: gzipSync(bytes, { level: 9 }), tag: `"${hash}-gzip"` },
  };
}

/** Weak comparison (RFC 9110, section 13.1.2): proxies may have weakened the tag. */
function isKnown(ifNoneMatch: string, tag: string): boolean {
  const tags = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
