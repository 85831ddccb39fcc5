import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { FieldError } from '../errors.ts';
import { ProbityError, validationError } from '../errors.ts';
import { checkJsonValue, parseStrictJson } from '../json/parse.ts';
import type { BodyShare } from './body-budget.ts';
import { bodyEncodingOf, decompress } from './body-encoding.ts';
import type { BodyRules } from './body-rules.ts';
import { isUtf8Label } from './charset.ts';
import { isLingering } from './connections.ts';
import { endableChunks } from './endable-chunks.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import type { ParsedBody } from './parsed-body.ts';
import { parsedBodyOf } from './parsed-body.ts';
import { MAX_FIELD_ERRORS } from './validation.ts';

/** Bytes of an oversized body to read and discard, so that the client reads the response. */
const DRAIN_LIMIT = 4 * 1_048_576;

/** Bytes that a discarded chunk counts as at least, since parsing it costs as much. */
const LEAST_CHUNK = 1_024;

/** Maximum pause of a client while its body is discarded, before the response is sent anyway. */
const DRAIN_SILENCE_MS = 500;

/**
 * Whether the request announces a body. HTTP/2 has no Transfer-Encoding: without a length, a body is
 * what follows the headers, and may be empty unless it has a type.
 */
export function hasBody({ headers, stream }: IncomingMessage & Http2Parts): boolean {
  const { 'content-length': length, 'content-type': type } = headers;
  if (headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0) return true;
  return stream?.endAfterHeaders === false && length === undefined && type !== undefined;
}

/** What requests of HTTP/2 have besides the members of Node's others. */
interface Http2Parts {
  readonly stream?: { readonly endAfterHeaders?: boolean };
}

interface JsonRules extends BodyRules {
  /** The value as its schema makes it. */
  validate(value: unknown): unknown;
}

/**
 * Reads and parses a JSON body, counting bytes as they arrive.
 * @param share the memory that the body, and what is parsed from it, occupies
 * @throws ProbityError `unsupported_media_type` for a body of another type or encoding,
 *   `payload_too_large`, `invalid_request`, `unavailable`; whatever `rules.validate` throws
 */
export async function readJson(ctx: Context, rules: JsonRules, share: BodyShare): Promise<unknown> {
  const found = parsedWithin(ctx, rules, 'a JSON body');
  const parsed = found instanceof Promise ? await found : found;
  if (parsed) {
    if ('bytes' in parsed) return parseNoted(parsed.bytes, rules, share);
    checkJsonValue(parsed.value);
    return validateBody(parsed.value, rules);
  }
  const encoding = bodyEncodingOf(ctx.req);
  const { limit } = rules;
  if (encoding === null) return parseNoted(await readRaw(ctx, limit, share), rules, share);
  const body = new GrowingBuffer();
  const chunks = endableChunks(readChunks(ctx, limit), share);
  for await (const chunk of decompress(chunks, encoding, limit)) {
    share.take(chunk.length);
    body.append(chunk);
  }
  return parseNoted(body.take(), rules, share);
}

async function parseNoted(bytes: Uint8Array, rules: JsonRules, share: BodyShare): Promise<unknown> {
  const value = await validateBody(await parseStrictJson(bytes, share), rules);
  await rules.noteBody?.(value, bytes);
  return value;
}

async function validateBody(
  body: unknown,
  { faultsOfBody, validate }: JsonRules,
): Promise<unknown> {
  const faults = (await faultsOfBody?.(body)) ?? [];
  if (faults.length === 0) return validate(body);
  throw validationError(
    ...[...faultsOf(() => validate(body)), ...faults].slice(0, MAX_FIELD_ERRORS),
  );
}

function faultsOf(validate: () => unknown): readonly FieldError[] {
  try {
    validate();
    return [];
  } catch (error) {
    if (error instanceof ProbityError && error.kind === 'validation_failed') {
      return error.details ?? [];
    }
    throw error;
  }
}

/** Bodies that were read before their endpoint reads them, as they were sent. */
const received = new WeakMap<IncomingMessage, Uint8Array>();

/**
 * Reads a body as it was sent, for a check of its bytes; the endpoint reads it afterwards as if it had just arrived.
 * @param limit largest body in bytes
 * @throws ProbityError as {@link readJson}
 */
export async function receiveBody(
  ctx: Context,
  limit: number,
  share: BodyShare,
): Promise<Uint8Array> {
  const { req: request } = ctx;
  if (!hasBody(request)) return new Uint8Array();
  if (Number(request.headers['content-length']) > limit) throw await tooLarge(request, limit);
  const bytes = await readRaw(ctx, limit, share);
  received.set(request, bytes);
  return bytes;
}

async function readRaw(
  { req: request, res: response }: Context,
  limit: number,
  share: BodyShare,
): Promise<Uint8Array> {
  const before = received.get(request);
  if (!before && awaitsContinue(request)) response.writeContinue();
  const bytes = before ?? takeArrived(request) ?? (await readBytes(request, limit, share));
  if (bytes.length > limit) throw await tooLarge(request, limit);
  return bytes;
}

/**
 * Checks the body's headers; returns the body when the host has read it already. Waits only where a body is too large.
 * @throws ProbityError `invalid_request` also when the server has refused the body as malformed or late
 */
function parsedWithin(
  ctx: Context,
  rules: BodyRules,
  what: string,
): ParsedBody | undefined | Promise<never> {
  // Node discards the body of a request that is answered, so that a parser would seem to have read it.
  if (ctx.res.writableEnded) throw brokenOff();
  const { req: request } = ctx;
  if (!hasBody(request)) throw new ProbityError('invalid_request', `The request needs ${what}.`);
  checkType(request, rules);
  const { limit } = rules;
  if (Number(request.headers['content-length']) > limit) return refuseTooLarge(request, limit);
  // A body parser that ran before has decompressed the body, and left the header.
  const parsed = received.has(request) ? undefined : parsedBodyOf(ctx);
  const isTooLarge = parsed && 'bytes' in parsed && parsed.bytes.length > limit;
  return isTooLarge ? refuseTooLarge(request, limit) : parsed;
}

/**
 * Checks the body's headers, then yields the body as it arrives, at the consumer's pace; the
 * iteration throws `payload_too_large` when the limit is exceeded.
 * @throws ProbityError as {@link readJson}
 */
export async function openBody(ctx: Context, rules: BodyRules): Promise<AsyncIterable<Uint8Array>> {
  const found = parsedWithin(ctx, rules, 'a body');
  const parsed = found instanceof Promise ? await found : found;
  if (!parsed) {
    const encoding = bodyEncodingOf(ctx.req);
    const chunks = readChunks(ctx, rules.limit);
    return encoding === null ? chunks : decompress(chunks, encoding, rules.limit);
  }
  const bytes = 'bytes' in parsed ? parsed.bytes : Buffer.from(JSON.stringify(parsed.value));
  return (async function* () {
    yield bytes;
  })();
}

async function* readChunks(
  { req: request, res: response }: Context,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const before = received.get(request);
  if (before) {
    if (before.length > limit) throw await tooLarge(request, limit);
    yield before;
    return;
  }
  if (awaitsContinue(request)) response.writeContinue();
  let length = 0;
  try {
    // The response needs the socket, whether or not the rest is read.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) break;
      yield chunk as Buffer;
    }
  } catch (cause) {
    throw brokenOff(cause);
  }
  if (length > limit) throw await tooLarge(request, limit);
  // A request of the Fetch API says nothing of it: its body fails when it is broken off.
  if (request.complete === false) throw brokenOff();
}

function brokenOff(cause?: unknown): ProbityError {
  const message = 'The request ended before its body did.';
  return new ProbityError('invalid_request', message, { cause });
}

function checkType({ headers }: IncomingMessage, { types, isTypeOptional }: BodyRules): void {
  if (isTypeOptional && headers['content-type'] === undefined) return;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (!type || !types.includes(type)) {
    const found = type ? `not ${type}` : 'but has no Content-Type';
    throw new ProbityError(
      'unsupported_media_type',
      `The request body must be ${types.join(' or ')}, ${found}.`,
    );
  }
  const charset = /charset=["']?([^\s"';]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset && !isUtf8Label(charset)) {
    throw new ProbityError('unsupported_media_type', `The charset must be utf-8, not ${charset}.`);
  }
}

/** A body that has arrived whole, as most have once the caller is known; undefined for any other, and for an empty one. */
function takeArrived(request: IncomingMessage): Uint8Array | undefined {
  const { complete, destroyed, readableFlowing, readableLength } = request;
  if (!complete || destroyed || readableFlowing !== null || readableLength === 0) return undefined;
  return (request.read() as Buffer | null) ?? undefined;
}

function readBytes(request: IncomingMessage, limit: number, share: BodyShare): Promise<Uint8Array> {
  // Its client has gone: no event would end the wait.
  if (request.destroyed) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer();
    const stop = () => {
      share.endableBy(null);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const refuse = (error: unknown) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        // A body that has arrived whole, as most have, is parsed and answered without a pause.
        if (!request.complete) share.take(chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      body.append(chunk);
      if (body.length <= limit) return;
      stop();
      void tooLarge(request, limit).then(reject);
    };
    const onEnd = () => {
      stop();
      resolve(body.take());
    };
    const onBroken = () => refuse(brokenOff());
    share.endableBy(refuse);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

async function refuseTooLarge(request: IncomingMessage, limit: number): Promise<never> {
  throw await tooLarge(request, limit);
}

/** Discards some of the remaining body, then returns the error. */
async function tooLarge(request: IncomingMessage, limit: number): Promise<ProbityError> {
  await discardRest(request, DRAIN_LIMIT);
  return new ProbityError('payload_too_large', `The request body is larger than ${limit} bytes.`, {
    headers: { Connection: 'close' },
  });
}

/** Discards up to `limit` bytes of what remains of a body, for as long as it keeps arriving. */
export function discardRest(request: IncomingMessage, limit: number): Promise<void> {
  if (request.readableEnded || request.destroyed || awaitsContinue(request))
    return Promise.resolve();
  // Its connection discards all further input without parsing it.
  if (isLingering(request.socket)) {
    request.pause();
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    let drained = 0;
    const done = () => {
      clearTimeout(silence);
      request.off('data', onData).off('end', done).off('close', done);
      request.pause();
      resolve();
    };
    const silence = setTimeout(done, DRAIN_SILENCE_MS);
    const onData = (chunk: Buffer) => {
      silence.refresh();
      drained += Math.max(chunk.length, LEAST_CHUNK);
      if (drained > limit) done();
    };
    request.on('data', onData).on('end', done).on('close', done).resume();
  });
}

/**
 * Whether the client waits for 100 (Continue) before it sends its body (RFC 9110, section 10.1.1).
 */
function awaitsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}
