import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { IExportTraceServiceResponse, ISerializer } from '@opentelemetry/otlp-transformer';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import type { TracingSettings } from './settings.ts';

/** What became of some spans. */
interface ExportResult {
  /** Spans that the receiver did not take. */
  readonly lost: number;
  /** Why; null where all were taken. Never what the receiver said. */
  readonly reason: string | null;
}

/** Sends spans by OTLP over HTTP, as protobuf. */
export interface OtlpExporter {
  /** Resolves when the receiver has answered, or no attempt is left; never rejects. */
  export(spans: ReadableSpan[]): Promise<ExportResult>;
  /** Gives up what is under way, and closes the connections. */
  close(): Promise<void>;
}

const MOST_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 5_000;
const CONNECT_MS = 5_000;
/** Longer answers are not read. */
const MOST_ANSWER_BYTES = 65_536;
/** What may be sent again, by the specification of OTLP. */
const RETRYABLE = new Set([429, 502, 503, 504]);

type Attempt =
  | { readonly kind: 'taken'; readonly lost: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly afterMs?: number | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

const compress = promisify(gzip);

/**
 * Opens an exporter; it connects with the first export. Redirects are not followed, and an answer is read up to 64
 * KiB.
 *
 * @param ca the authority of the receiver (PEM); default: those of Node
 */
export function openOtlpExporter(settings: TracingSettings, ca: string | undefined): OtlpExporter {
  const { url, timeoutMs } = settings;
  const agent = new Agent({
    connections: 2,
    connect: { timeout: CONNECT_MS, ...(ca !== undefined && { ca }) },
  });
  const end = new AbortController();
  const { origin, pathname, search } = new URL(url);
  const headers = {
    ...settings.headers,
    'content-type': 'application/x-protobuf',
    'user-agent': 'probity-gateway',
    ...(settings.isCompressed && { 'content-encoding': 'gzip' }),
  };
  const attempt = async (body: Uint8Array, signal: AbortSignal): Promise<Attempt> => {
    try {
      const answer = await agent.request({
        ...{ origin, path: pathname + search, method: 'POST', headers, body, signal },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return await judge(answer);
    } catch (error) {
      if (signal.aborted) return { kind: 'failed', reason: end.signal.aborted ? 'end' : 'timeout' };
      return { kind: 'refused', reason: (error as { code?: string }).code ?? 'connection' };
    }
  };
  const send = async (body: Uint8Array): Promise<Attempt> => {
    const untilMs = performance.now() + timeoutMs;
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(timeoutMs)]);
    for (let number = 1; ; number++) {
      const result = await attempt(body, signal);
      if (result.kind !== 'refused' || number === MOST_ATTEMPTS) return result;
      const waitMs = result.afterMs ?? backOffMs(number);
      if (performance.now() + waitMs >= untilMs) return result;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    async export(spans) {
      const plain = ProtobufTraceSerializer.serializeRequest(spans);
      if (plain === undefined) return { lost: spans.length, reason: 'encoding' };
      const result = await send(settings.isCompressed ? await compress(plain) : plain);
      if (result.kind !== 'taken') return { lost: spans.length, reason: result.reason };
      return { lost: result.lost, reason: result.lost > 0 ? 'partial success' : null };
    },
    async close() {
      end.abort();
      await agent.destroy();
    },
  };
}

async function judge({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Attempt> {
  // One that is not read to its end is destroyed, which is an error of the stream.
  body.on('error', () => undefined);
  if (statusCode >= 200 && statusCode < 300) {
    return { kind: 'taken', lost: await rejectedIn(body, String(headers['content-type'] ?? '')) };
  }
  body.destroy();
  const reason = `HTTP ${statusCode}`;
  if (!RETRYABLE.has(statusCode)) return { kind: 'failed', reason };
  return { kind: 'refused', reason, afterMs: askedMs(headers['retry-after']) };
}

/** The spans that an answer says were rejected; an answer that cannot be read rejects none. */
async function rejectedIn(
  body: Dispatcher.ResponseData['body'],
  contentType: string,
): Promise<number> {
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += (chunk as Buffer).length;
      if (length > MOST_ANSWER_BYTES) {
        body.destroy();
        return 0;
      }
      chunks.push(chunk as Buffer);
    }
    if (length === 0) return 0;
    const serializer: ISerializer<ReadableSpan[], IExportTraceServiceResponse> = /json/i.test(
      contentType,
    )
      ? JsonTraceSerializer
      : ProtobufTraceSerializer;
    const answer = serializer.deserializeResponse(Buffer.concat(chunks));
    const rejected = Number(answer.partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

function backOffMs(number: number): number {
  const jitter = 0.5 + Math.random() / 2;
  return Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (number - 1)) * jitter;
}

/** Seconds, or a date. */
function askedMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
