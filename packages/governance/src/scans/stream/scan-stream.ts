import type { CallContext, Runtime } from '@probity/core';
import { ProbityError, validationError } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { Pipeline, ScanResult, StreamScanner } from '@probity/pipeline';
import { createStreamScanner, StreamTooLongError } from '@probity/pipeline';
import { readLastTurn, rememberScans } from '@probity/pipeline/messages';
import type { ScanContent } from '../content.ts';
import { foundInResponse, toContent, withResponse } from '../content.ts';
import type { BegunScan, JudgedContent, ScanOptions } from '../scan.ts';
import { beginScan, concludeScan, judgeContent } from '../scan.ts';
import type { ScanOutcome } from '../types.ts';
import { readParts } from './parts.ts';
import type { ScanStreamEvent, StreamedScanRequest } from './types.ts';

/** The longest response in UTF-16 units. */
const MAX_LENGTH = 10_485_760;
/**
 * How often the response is scanned in all at most: with the overlaps twice on the way, so that text is passed on
 * about every 500 units, and once at the end.
 */
const MAX_WORK = 3;

const REQUEST_MEMBERS = [
  ...['prompt', 'messages', 'context', 'policyIds', 'metadata', 'aiSystemId', 'redaction'],
  'latency',
];

/** Opens the scan of a stream; see `Scans.scanStream`. */
export async function openScanStream(
  runtime: Runtime,
  options: ScanOptions,
  context: CallContext,
  request: StreamedScanRequest,
  response: AsyncIterable<string>,
): Promise<AsyncIterable<ScanStreamEvent>> {
  requireContext('scanStream', context);
  requireKnownOptions('scanStream', request, REQUEST_MEMBERS);
  const latency = request.latency ?? undefined;
  if (latency !== undefined && latency !== 'chat') {
    throw validationError({ field: 'latency', message: "must be 'chat' or absent" });
  }
  if (typeof response?.[Symbol.asyncIterator] !== 'function') {
    throw new TypeError(
      `scanStream: response must be an AsyncIterable of texts, such as a stream of a model; got ${response === null ? null : typeof response}.`,
    );
  }
  const { principal, requestId, address, confirm } = context;
  // The end is stored whether or not the caller is still there.
  const lasting = { principal, requestId, address, confirm };
  const begun = await beginScan(runtime, options, lasting, request);
  const hasMessages = (request.messages ?? null) !== null;
  const asked = await toContent(hasMessages ? request : { ...request, response: '' });
  const stream = createStream({ runtime, options, begun, asked, latency });
  return stream.events(response, context.signal);
}

interface StreamParts {
  readonly runtime: Runtime;
  readonly options: ScanOptions;
  readonly begun: BegunScan;
  /** What the model was given, with an empty response. */
  readonly asked: ScanContent;
  readonly latency: 'chat' | undefined;
}

function createStream({ runtime, options, begun, asked, latency }: StreamParts) {
  // Of a conversation the earlier turns are scanned once, not at the beginning and at the end.
  const pipeline = { ...options.pipeline, scan: begun.scan };
  const scan = asked.messages ? rememberScans(pipeline) : begun.scan;
  const { redactor } = begun.redaction;
  const judging = { policies: begun.chosen, redactor };
  const received: string[] = [];

  /** Decides on what the model was given; its replacements are numbered before those of the response. */
  async function judgeAsked(): Promise<JudgedContent | null> {
    const { messages, input } = asked;
    if (!messages && input.prompt === undefined && input.context === undefined) return null;
    const judged = await judgeContent(asked, scan, judging);
    await judged.scanned.redact(judged.judgment.decision, redactor);
    return judged;
  }

  /**
   * Decides on all that has come. What the stream was blocked for is blocked also where the whole does not show it.
   * @param found of the stream's last step
   */
  async function judgeReceived(found?: ScanResult, isBlocked = false): Promise<JudgedContent> {
    const content = withResponse(asked, received.join(''));
    if (found && !isBlocked && !content.messages) {
      const scanned = foundInResponse(content, found);
      return { content, scanned, judgment: scanned.judge(begun.chosen, redactor) };
    }
    const judged = await judgeContent(content, scan, judging);
    if (!found || !isBlocked || judged.judgment.decision.verdict === 'blocked') return judged;
    const scanned = foundInResponse(content, found);
    return { content, scanned, judgment: scanned.judge(begun.chosen, redactor) };
  }

  async function conclude(judged: JudgedContent): Promise<ScanOutcome> {
    const prepared = await concludeScan(runtime, options, begun, judged);
    await prepared.store(begun.context);
    return prepared.outcome;
  }

  async function* scanParts(
    source: AsyncIterable<string>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ScanStreamEvent, JudgedContent> {
    const scanner = await createScanner({ pipeline, begun, asked, latency });
    const parts = readParts(source, runtime.clock, signal);
    try {
      for (;;) {
        const next = await parts.next();
        if (next.kind === 'aborted') return judgeReceived();
        if (next.kind === 'silence') {
          yield { type: 'waiting' };
          continue;
        }
        if (next.kind === 'part') received.push(next.text);
        const step = await (next.kind === 'part' ? scanner.feed(next.text) : scanner.end());
        for (const found of step.findings) {
          if (found.field !== 'response') continue;
          yield { type: 'finding', finding: toStreamFinding(asked, found) };
        }
        if (step.text !== '') yield { type: 'release', text: step.text };
        if (step.final) return judgeReceived(step.result, step.decision?.verdict === 'blocked');
      }
    } catch (error) {
      if (error instanceof StreamTooLongError) throw tooLong(error);
      throw error;
    } finally {
      parts.close();
    }
  }

  return {
    async *events(
      source: AsyncIterable<string>,
      signal: AbortSignal | undefined,
    ): AsyncGenerator<ScanStreamEvent, undefined> {
      let isStored = false;
      try {
        const first = await judgeAsked();
        const isRefused = first?.judgment.decision.verdict === 'blocked';
        const judged = isRefused ? first : yield* scanParts(source, signal);
        isStored = true;
        yield { type: 'final', outcome: await conclude(judged) };
        return undefined;
      } finally {
        // The reader has stopped, or the response broke off.
        if (!isStored) await conclude(await judgeReceived());
      }
    },
  };
}

async function createScanner({
  pipeline,
  begun: { chosen, redaction },
  asked,
  latency,
}: Pick<StreamParts, 'begun' | 'asked' | 'latency'> & {
  readonly pipeline: Pipeline;
}): Promise<StreamScanner> {
  const { messages, input } = asked;
  const { system, prompt, context } = messages ? await lastTurnOf(asked) : input;
  return createStreamScanner(pipeline, {
    ...{ system, prompt, context },
    policies: chosen.filter(({ mode }) => mode === 'enforce').map(({ policy }) => policy),
    redactor: redaction.redactor,
    maxLength: MAX_LENGTH,
    ...(latency ? { latency } : { maxWork: MAX_WORK }),
  });
}

/** What the model is given for the response: the last turn, and the passages beside it. */
async function lastTurnOf({
  messages,
  context = [],
}: ScanContent & { readonly messages: readonly object[] }) {
  const turn = await readLastTurn(messages);
  const passages = [...(turn.context ?? []), ...context];
  return { ...turn, context: passages.length > 0 ? passages : undefined };
}

function toStreamFinding(
  asked: ScanContent,
  found: ScanResult['findings'][number],
): Extract<ScanStreamEvent, { type: 'finding' }>['finding'] {
  const { stage, type, score, start, end, nugget, nuggetId } = found;
  const place = asked.messages
    ? { field: 'messages' as const, path: `[${asked.messages.length}].content` }
    : { field: 'response' as const };
  return {
    ...{ stage, type, score },
    ...place,
    ...{ start, end },
    ...(nugget === undefined ? {} : { nugget }),
    ...(nuggetId === undefined ? {} : { nuggetId }),
  };
}

function tooLong(cause: Error): ProbityError {
  const message = `The response is longer than ${MAX_LENGTH} UTF-16 code units.`;
  return new ProbityError('payload_too_large', message, { cause });
}
