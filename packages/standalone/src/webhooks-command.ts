import { setTimeout as delay } from 'node:timers/promises';
import type { CallContext } from '@probity/core';
import { contextOf, createRuntime } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { coreMigrations } from '@probity/core/sql';
import type { Replay, Replays, Webhook } from '@probity/webhooks';
import { createDeliveries, createReplays, PROBITY_EVENTS } from '@probity/webhooks';
import { createSqlWebhookStorage, webhookMigrations } from '@probity/webhooks/sql';
import type { WebhookListFlags, WebhookReplayFlags, WebhookTestFlags } from './command-line.ts';
import { readKeyConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

const PAGE_SIZE = 200;
/** Between two looks at what a server works on. */
const LOOK_MS = 250;

/** The services of webhooks on the database, and the organization as their caller. */
interface OpenedWebhooks {
  readonly storage: ReturnType<typeof createSqlWebhookStorage>;
  readonly deliveries: ReturnType<typeof createDeliveries>;
  readonly replays: Replays;
  readonly caller: CallContext;
}

function withWebhooks(
  flags: WebhookListFlags,
  { env }: CommandContext,
  work: (opened: OpenedWebhooks) => Promise<void>,
): Promise<void> {
  const config = readKeyConfig(flags, env);
  const { organization } = flags;
  const open = async (database: SqlDatabase) => {
    if (!(await database.kernel(database.reader).hasTenant(organization))) {
      throw new StartFailure(`--organization: no organization has the id "${organization}"`);
    }
    const secretBox = await findServerSecretBox(config, database);
    const runtime = createRuntime({ database, secretBox });
    const storage = createSqlWebhookStorage(database);
    const caller = contextOf({ organizationId: organization });
    const deliveries = createDeliveries(runtime, { storage });
    await work({ storage, deliveries, replays: createReplays(runtime, { storage }), caller });
  };
  return withExistingDatabase(config.database, open, [...coreMigrations, ...webhookMigrations]);
}

/** Prints the webhooks of an organization: a line each, or one array of JSON. */
export function listWebhooks(flags: WebhookListFlags, context: CommandContext): Promise<void> {
  return withWebhooks(flags, context, async ({ storage }) => {
    const all: Webhook[] = [];
    for (let total = 1; all.length < total; ) {
      const page = { limit: PAGE_SIZE, offset: all.length };
      const found = await storage.listWebhooks(flags.organization, page);
      if (found.items.length === 0) break;
      all.push(...found.items);
      total = found.total;
    }
    if (flags.json) context.print(`${JSON.stringify(all)}\n`);
    else for (const webhook of all) context.print(`${toLine(webhook)}\n`);
  });
}

function toLine({ id, url, events, active, disabledReason }: Webhook): string {
  const state = active ? 'active' : disabledReason === null ? 'off' : `off: ${disabledReason}`;
  // The URL and the reason are from others: no escape sequence of theirs reaches a terminal.
  return [id, url, events.join(','), state].join('  ').replace(/\p{Cc}+/gu, ' ');
}

/**
 * Sends a test event, which a running server delivers, and prints the result.
 * @throws StartFailure when the endpoint did not accept it, or the command was stopped before
 */
export function testWebhook(
  webhookId: string,
  { type, ...flags }: WebhookTestFlags,
  context: CommandContext,
): Promise<void> {
  return withWebhooks(flags, context, async ({ storage, deliveries, caller }) => {
    requireServerTypes(await storage.findWebhook(flags.organization, webhookId));
    const { id } = await deliveries.sendTest(caller, webhookId, type);
    context.tell(`${id} is sent by a running server\n`);
    const sent = await waitFor(context, async () => {
      const found = await storage.findDelivery(webhookId, id);
      if (!found) throw new StartFailure(`The webhook ${webhookId} was deleted`);
      return found.delivery.status === 'pending' ? null : found.delivery;
    });
    const { status, attempts } = sent;
    const last = attempts.at(-1);
    const answer = last?.error ?? `status ${last?.responseStatus}`;
    const line = `${id}  ${status}  ${attempts.length} attempts, the last: ${answer}`;
    context.print(`${flags.json ? JSON.stringify(sent) : line.replace(/\p{Cc}+/gu, ' ')}\n`);
    if (status !== 'delivered') throw new StartFailure(`The test was not delivered: ${status}`);
  });
}

/** @throws StartFailure for a webhook of an application with event types of its own, whose samples only it has */
function requireServerTypes(webhook: Webhook | null): void {
  const own = webhook?.events.filter((type) => !Object.hasOwn(PROBITY_EVENTS, type)) ?? [];
  if (own.length === 0) return;
  throw new StartFailure(
    `The webhook lists event types of an application, ${own.join(', ')}: send the test there, with ` +
      `POST /webhooks/${webhook?.id}/test or deliveries.sendTest(context, '${webhook?.id}')`,
  );
}

/**
 * Begins a replay, or a recovery with `--failed`, which a running server works on, and prints the progress
 * until it ends.
 * @throws StartFailure when it does not complete, or the command was stopped before; the replay goes on then
 */
export function replayWebhook(
  webhookId: string,
  { types, failed, ...flags }: WebhookReplayFlags,
  context: CommandContext,
): Promise<void> {
  const since = parseTime('--since', flags.since);
  const until = flags.until === undefined ? undefined : parseTime('--until', flags.until);
  if (failed && types !== undefined) throw new StartFailure('--failed sends all event types');
  return withWebhooks(flags, context, async ({ replays, caller }) => {
    const request = { since, until };
    const { id } = failed
      ? await replays.recover(caller, webhookId, request)
      : await replays.start(caller, webhookId, request, types?.split(','));
    let shown = '';
    const ended = await waitFor(context, async () => {
      const replay = await replays.get(caller, webhookId, id);
      const progress = toProgress(replay);
      if (progress !== shown) context.tell(`${progress}\n`);
      shown = progress;
      return replay.status === 'running' ? null : replay;
    });
    context.print(`${flags.json ? JSON.stringify(ended) : toProgress(ended)}\n`);
    if (ended.status !== 'completed') throw new StartFailure(`The replay has ${ended.status}`);
  });
}

function toProgress({ id, status, total, isCounted, done }: Replay): string {
  return `${id}  ${status}  ${isCounted ? `${done} of ${total}` : 'counting events'}`;
}

function parseTime(flag: string, text: string): Date {
  const time = /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new StartFailure(`${flag}: "${text}" must be an ISO 8601 time with an offset`);
}

/** Reads until there is a result. @throws StartFailure when the command is told to stop before */
async function waitFor<T>(context: CommandContext, read: () => Promise<T | null>): Promise<T> {
  let signal: string | null = null;
  void context.stopSignal().then((name) => {
    signal = name;
  });
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    if (signal !== null) throw new StartFailure(`${signal}: a running server goes on with it`);
    await delay(LOOK_MS);
  }
}
