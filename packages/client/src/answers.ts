import type { OpenAnswer } from './attempt.ts';
import type { Download } from './download.ts';
import { openDownload } from './download.ts';
import { ResponseError } from './errors.ts';
import type { Listing } from './listing.ts';
import { createListing } from './listing.ts';
import type { Operation } from './operation.ts';
import type { ClientSettings } from './options.ts';
import type { PageFacts } from './page.ts';
import { readJson } from './read-body.ts';
import type { Call } from './request.ts';
import { callOf, withQuery } from './request.ts';
import { send } from './send.ts';
import type { EventStream } from './server-sent-events.ts';
import { createEventStream } from './server-sent-events.ts';

/** What the methods of a client return. */
type Answer = Promise<unknown> | Listing<unknown> | EventStream<unknown>;

/** Calls an operation with the arguments of its method. @throws TypeError on an argument that is missing */
export function callOperation(
  operation: Operation,
  settings: ClientSettings,
  args: readonly unknown[],
): Answer {
  switch (operation.answer) {
    case 'list': {
      const call = callOf(operation, settings, args);
      const query = (args[operation.parameters?.length ?? 0] ?? {}) as Readonly<
        Record<string, unknown>
      >;
      return createListing(query, (each) => readPage(withQuery(call, each), settings));
    }
    case 'events': {
      const call = callOf(operation, settings, args);
      return createEventStream((read) => send(call, settings, read), settings.maxResponseBytes);
    }
    default:
      return answerOf(operation, settings, args);
  }
}

/** Asynchronous, so that a wrong argument rejects as a failed call does. */
async function answerOf(
  operation: Operation,
  settings: ClientSettings,
  args: readonly unknown[],
): Promise<unknown> {
  const call = callOf(operation, settings, args);
  switch (operation.answer) {
    case 'none':
      return send(call, settings, discard);
    case 'download':
      return send(call, settings, async (answer) => download(answer, settings));
    case 'data':
      return memberOf(await sendForJson(call, settings), 'data', call);
    default:
      return sendForJson(call, settings);
  }
}

function sendForJson(call: Call, { maxResponseBytes, ...settings }: ClientSettings) {
  return send(call, { maxResponseBytes, ...settings }, async (answer) => {
    const { response, route } = answer;
    const value = await readJson(response, { maxBytes: maxResponseBytes, route });
    answer.close();
    return value;
  });
}

async function discard(answer: OpenAnswer): Promise<void> {
  await answer.response.body?.cancel();
  answer.close();
}

function download(answer: OpenAnswer, { maxResponseBytes }: ClientSettings): Download {
  return openDownload(answer, maxResponseBytes);
}

async function readPage(call: Call, settings: ClientSettings): Promise<PageFacts<unknown>> {
  const body = await sendForJson(call, settings);
  const items = memberOf(body, call.operation.member ?? 'data', call);
  const { total, limit, offset, has_more: hasMore } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items)) throw invalid(call);
  return {
    items,
    total: Number(total),
    limit: Number(limit),
    offset: Number(offset),
    hasMore: hasMore === true,
  };
}

function memberOf(value: unknown, name: string, call: Call): unknown {
  if (typeof value === 'object' && value !== null && name in value) {
    return (value as Readonly<Record<string, unknown>>)[name];
  }
  throw invalid(call);
}

function invalid({ operation }: Call): ResponseError {
  const message = `The answer of ${operation.id} is JSON, but not one of the API. Is baseUrl right?`;
  return new ResponseError(message, { code: 'invalid_response' });
}
