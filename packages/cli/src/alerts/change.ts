import type { AlertChanges, ProbityApi } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';

/** Flags of `probity alerts ack`. */
export interface AcknowledgeFlags extends ServerFlags {
  readonly json?: true;
}

/** Flags of `probity alerts resolve`. */
export interface ResolveFlags extends AcknowledgeFlags {
  readonly resolution: string;
}

/** Alerts of one request. */
const MAX_ALERTS = 500;

/** Resolves alerts; exits with 1 when one is unknown. */
export function resolveAlerts(
  ids: readonly string[],
  { resolution, ...flags }: ResolveFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { signal } = context;
  return change(ids, flags, context, 'resolved', (client, part) =>
    client.alerts.resolveMany({ ids: part, resolution }, { signal }),
  );
}

/** Acknowledges alerts; exits with 1 when one is unknown. */
export function acknowledgeAlerts(
  ids: readonly string[],
  flags: AcknowledgeFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { signal } = context;
  return change(ids, flags, context, 'acknowledged', (client, part) =>
    client.alerts.acknowledgeMany({ ids: part }, { signal }),
  );
}

async function change(
  ids: readonly string[],
  flags: AcknowledgeFlags,
  context: CommandContext,
  done: string,
  send: (client: ProbityApi, ids: string[]) => Promise<AlertChanges>,
): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  const parts: AlertChanges[] = [];
  for (let start = 0; start < ids.length; start += MAX_ALERTS) {
    parts.push(await send(client, ids.slice(start, start + MAX_ALERTS)));
  }
  const all = (key: keyof AlertChanges) => parts.flatMap((part) => part[key]);
  const outcome: AlertChanges = {
    changed: all('changed'),
    unchanged: all('unchanged'),
    alreadyResolved: all('alreadyResolved'),
    unknown: all('unknown'),
  };
  const { out } = context;
  const isText = out.isTerminal && !flags.json;
  await out.write(isText ? textOf(outcome, done) : `${JSON.stringify(outcome)}\n`);
  return outcome.unknown.length > 0 ? EXIT.finding : EXIT.ok;
}

function textOf(outcome: AlertChanges, done: string): string {
  const lines = (ids: readonly string[], what: string) => ids.map((id) => `${id}: ${what}\n`);
  return [
    ...lines(outcome.changed, done),
    ...lines(outcome.unchanged, `${done} before`),
    ...lines(outcome.alreadyResolved, 'resolved before'),
    ...lines(outcome.unknown, 'not found'),
  ].join('');
}
