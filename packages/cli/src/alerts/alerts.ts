import type { ListAlertsQuery } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import { printListing } from '../terminal/listing.ts';
import type { Style } from '../terminal/text.ts';

/** The query of a list of alerts. */
type AlertQuery = ListAlertsQuery & { readonly group_by?: undefined };

/** Flags of `probity alerts`. */
export interface AlertFlags extends ServerFlags {
  readonly status?: 'open' | 'resolved';
  readonly type?: string;
  readonly severity?: 'low' | 'medium' | 'high' | 'critical';
  readonly since?: string;
  readonly until?: string;
  readonly scanId?: string;
  readonly assignee?: string;
  readonly q?: string;
  readonly limit: number;
  readonly json?: true;
}

const STYLE_OF: Readonly<Record<string, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
};

/** Prints alerts, newest first. */
export async function listAlerts(flags: AlertFlags, context: CommandContext): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  const { status, type, severity, since, until, scanId, assignee, q } = flags;
  const query = { status, type, severity, since, until, scanId, assignee, q } as AlertQuery;
  return printListing(
    (limit) => client.alerts.list({ ...query, limit }, { signal: context.signal }),
    [
      { title: 'created', value: ({ createdAt }) => createdAt },
      {
        title: 'severity',
        value: ({ severity }) => severity,
        style: ({ severity }) => STYLE_OF[severity],
      },
      { title: 'type', value: ({ type }) => type },
      { title: 'status', value: ({ status }) => status },
      { title: 'id', value: ({ id }) => id },
      { title: 'message', value: ({ message }) => message },
    ],
    flags,
    context,
  );
}
