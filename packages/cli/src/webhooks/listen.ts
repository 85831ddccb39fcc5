import { setTimeout as delay } from 'node:timers/promises';
import type { ProbityApi, StoredEvent } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { reasonOf, usageFailure } from '../failure.ts';
import { readText } from '../input.ts';
import { openSession, userAgent } from '../server/session.ts';
import { styled, visible } from '../terminal/text.ts';
import { createEventFeed } from './event-feed.ts';
import { checkSecret, makeSecret, signatureHeaders } from './signing.ts';

/** Flags of `probity webhooks listen`. */
export interface ListenFlags extends ServerFlags {
  readonly forwardTo: string;
  readonly event?: readonly string[];
  readonly since?: string;
  readonly secretFile?: string;
  readonly json?: true;
}

/** What became of an event. */
interface Forwarded {
  readonly at: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Null when no answer arrived. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why no answer arrived; else null. */
  readonly error: string | null;
}

const POLL_MS = 1_000;
/** What a delivery waits for (specification, "Delivery rules"). */
const TIMEOUT_MS = 30_000;

/** Forwards events until SIGINT, which is the end that is meant, or until nobody reads the output: exit code 0. */
export async function listen(flags: ListenFlags, context: CommandContext): Promise<ExitCode> {
  const { out, err, signal } = context;
  const target = parseTarget(flags.forwardTo);
  const secret = await secretOf(flags, context);
  const { client, access } = await openSession(flags, context);
  const since =
    flags.since === undefined ? await serverTime(client, signal) : new Date(flags.since);
  const feed = createEventFeed(client, since);
  const types = flags.event && new Set(flags.event);
  // The first read tells a wrong key or server before anything is promised.
  let events = await feed.next(signal);
  await err.write(`Forwarding the events of ${access.baseUrl} to ${target.href}\n`);
  if (flags.secretFile === undefined) await err.write(`Signing secret: ${secret}\n`);
  try {
    for (;;) {
      for (const event of events) {
        if (event.test || types?.has(event.type) === false) continue;
        const forwarded = await forward(client, event, { target, secret, signal });
        await out.write(flags.json ? `${JSON.stringify(forwarded)}\n` : format(forwarded, context));
        if (out.isClosed) return EXIT.ok;
      }
      await delay(POLL_MS, undefined, { signal });
      events = await nextEvents(feed, context);
    }
  } catch (error) {
    if (signal.aborted) return EXIT.ok;
    throw error;
  }
}

/** A server that does not answer for a while, as while it is restarted, does not end the command. */
async function nextEvents(
  feed: ReturnType<typeof createEventFeed>,
  { err, signal }: CommandContext,
): Promise<StoredEvent[]> {
  try {
    return await feed.next(signal);
  } catch (error) {
    const { ConnectionError, RateLimitError, ServerError } = await import('@probity/client');
    const isPassing = [ConnectionError, RateLimitError, ServerError].some(
      (type) => error instanceof type,
    );
    if (!isPassing || signal.aborted) throw error;
    await err.write(`probity: ${visible((error as Error).message)}; trying again\n`);
    return [];
  }
}

function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw usageFailure('--forward-to: expected an address such as http://localhost:4242/hook');
}

async function secretOf({ secretFile }: ListenFlags, context: CommandContext): Promise<string> {
  if (secretFile === undefined) return makeSecret();
  const text = await readText({ path: secretFile, maxBytes: 65_536 }, context);
  return checkSecret(text, '--secret-file');
}

/** The clock of the server, from which the times of events are; that of this machine may differ. */
async function serverTime(client: ProbityApi, signal: AbortSignal): Promise<Date> {
  let date: string | null = null;
  const onResponse = ({ headers }: { readonly headers: Headers }) => {
    date = headers.get('date');
  };
  await client.events.list({ limit: 1 }, { signal, onResponse }).page();
  return date === null ? new Date() : new Date(date);
}

/** Where events go. */
interface Forwarding {
  readonly target: URL;
  readonly secret: string;
  readonly signal: AbortSignal;
}

async function forward(
  client: ProbityApi,
  event: StoredEvent,
  { target, secret, signal }: Forwarding,
): Promise<Forwarded> {
  const { id, type, timestamp, data } = await client.events.get(event.id, { signal });
  // Members and their order are those of a delivery.
  const body = JSON.stringify({ id, type, timestamp, data });
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent(),
    ...signatureHeaders({ id, body, at }, secret),
  };
  const startedAt = performance.now();
  const facts = { at: at.toISOString(), eventId: id, eventType: type };
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    return { ...facts, status: answer.status, durationMs: elapsed(), error: null };
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error && error.cause ? error.cause : error;
    return { ...facts, status: null, durationMs: elapsed(), error: reasonOf(cause) };
  }
}

function format(forwarded: Forwarded, { out }: CommandContext): string {
  const { at, eventType, eventId, status, durationMs, error } = forwarded;
  const isAccepted = status !== null && status >= 200 && status <= 299;
  const answer = styled(
    status === null ? 'failed' : String(status),
    isAccepted ? 'green' : 'red',
    out,
  );
  const reason = error === null ? '' : `  ${visible(error)}`;
  return `${at}  ${visible(eventType)}  ${visible(eventId)}  ${answer}  ${durationMs} ms${reason}\n`;
}
