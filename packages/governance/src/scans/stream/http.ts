import type { CallContext } from '@probity/core';
import { ProbityError, toProbityError } from '@probity/core';
import { parseStrictJson, validate } from '@probity/core/internal';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, generalErrors, stream } from '@probity/core/koa';
import { scanStreamRequest, streamedScanRequest } from '../request-schema.ts';
import type { Scans } from '../scans.ts';
import type { ScanRequest } from '../types.ts';
import { toBlocked, toPassed } from '../wire.ts';
import { linesOf, piecesOf, readJsonBody, textsOf, withFirst } from './lines.ts';
import { scanStreamEvent } from './schemas.ts';
import type { ScanStreamEvent, StreamedScanRequest } from './types.ts';

/** Largest bodies in bytes: of JSON as of other scans; of lines more, as each part of a few letters has its braces. */
const JSON_LIMIT = 10_485_760;
const LINES_LIMIT = 8 * JSON_LIMIT;
/** Units of a whole response that are scanned at once. */
const PIECE = 4_096;
const LINES = 'application/x-ndjson';

const HEADERS = {
  'Cache-Control': 'no-store',
  // nginx would keep events back until its buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Declares the endpoint that scans a response while it comes in. */
export function scanStreamEndpoint(scans: Scans): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/governance/scan/stream',
    operationId: 'scanStream',
    summary: 'Scan a response while it comes in',
    description:
      'Answers by server-sent events while the response is scanned: `release` with the next text that may be passed on, which ' +
      'is final; `finding` when one is made; `final` at the end, with the body that `POST /governance/scan` answers, a ' +
      'blocked one as well; `error` in place of `final` when the response breaks off. The response comes as a whole in a JSON ' +
      'body, or as JSON Lines: in the first line the request without it, in each further one the next part of it, ' +
      '`{"text": "…"}`, sent as the model gives it. With messages the response is the next one. The scan is stored at its ' +
      'end, also when the client disconnects: then with what has come until then.',
    tag: 'Governance',
    permission: 'scans:create',
    rateLimit: 'general',
    quota: 'gateway_scans',
    body: stream({
      types: ['application/json', LINES],
      limit: LINES_LIMIT,
      schema: scanStreamRequest,
    }),
    responses: {
      200: {
        description: 'The events of the scan',
        mediaType: 'text/event-stream',
        streamed: scanStreamEvent,
      },
    },
    async handler({ context, headers, body, reply }) {
      const type = String(headers['content-type']).toLowerCase();
      const { request, response } = type.startsWith(LINES)
        ? await readLines(body)
        : await readWhole(body);
      const events = await scans.scanStream(context, request, response);
      return reply.stream('text/event-stream', encode(events, context), { headers: HEADERS });
    },
  });
}

interface StreamedInput {
  readonly request: StreamedScanRequest;
  readonly response: AsyncIterable<string>;
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<StreamedInput> {
  const value = validate(scanStreamRequest, await readJsonBody(body, JSON_LIMIT));
  const { response, ...request } = value as ScanRequest & { readonly response: string };
  return { request, response: piecesOf(response, PIECE) };
}

async function readLines(body: AsyncIterable<Uint8Array>): Promise<StreamedInput> {
  const lines = await withFirst(linesOf(body));
  if (!lines) throw new ProbityError('invalid_request', 'The body has no line.');
  const request = validate(streamedScanRequest, await parseStrictJson(lines.first));
  return { request: request as StreamedScanRequest, response: textsOf(lines.others, 2) };
}

/** Server-sent events; what is thrown is the last of them. */
async function* encode(
  events: AsyncIterable<ScanStreamEvent>,
  context: Pick<CallContext, 'requestId'>,
): AsyncGenerator<string> {
  try {
    for await (const event of events) yield encodeEvent(event, context);
  } catch (thrown) {
    const error = toProbityError(thrown);
    yield line('error', generalErrors.body(error, context.requestId) as object);
    // The log has what the client is not told.
    if (error.kind === 'internal') throw thrown;
  }
}

function encodeEvent(event: ScanStreamEvent, context: Pick<CallContext, 'requestId'>): string {
  switch (event.type) {
    case 'release':
      return line('release', { text: event.text });
    case 'finding':
      return line('finding', event.finding);
    case 'waiting':
      return ': waiting\n\n';
    case 'final': {
      const { outcome } = event;
      const { violation } = outcome.scan;
      return line('final', violation ? toBlocked(outcome, violation, context) : toPassed(outcome));
    }
  }
}

function line(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify({ event, ...data })}\n\n`;
}
