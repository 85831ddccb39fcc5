import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RuntimeSummary } from '@probity/core/internal';
import type { AlertPart, TimedAlert } from '../alerts/storage.ts';
import type { TimedScan } from '../scans/storage.ts';
import type { GovernanceStorage } from '../storage.ts';
import { dateOf, dayAfter } from './days.ts';
import { createDayTally } from './tally.ts';

/** Records that are read at once; on SQLite they take some milliseconds of the process. */
const SLICE = 1_000;

/** Reads of a summary. */
export type SummaryReads = Pick<
  GovernanceStorage,
  'readTimedScans' | 'readTimedAlerts' | 'countOpenAlerts'
>;

/**
 * Sums up a day of an organization from its stored records, in slices between which others are served. A day on which
 * nothing happened has no summary. Null when `signal` aborts.
 */
export async function summarizeDay(
  storage: SummaryReads,
  organizationId: string,
  day: Date,
  signal: AbortSignal,
): Promise<RuntimeSummary[] | null> {
  const tally = createDayTally();
  const range = { since: day, until: dayAfter(day) };
  const alerts = (part: Omit<AlertPart, 'after' | 'limit'>) =>
    slices<TimedAlert>(signal, (after) =>
      storage.readTimedAlerts(organizationId, { ...part, after, limit: SLICE }),
    );
  const scans = slices<TimedScan>(signal, (after) =>
    storage.readTimedScans(organizationId, { ...range, after, limit: SLICE }),
  );
  for await (const scan of scans) tally.addScan(scan);
  for await (const alert of alerts({ by: 'createdAt', ...range })) tally.addCreatedAlert(alert);
  for await (const alert of alerts({ by: 'resolvedAt', ...range })) tally.addResolvedAlert(alert);
  if (tally.toSummaries(dateOf(day)).length === 0) return signal.aborted ? null : [];
  const open = await storage.countOpenAlerts(organizationId, range.until);
  for (const each of open) tally.addOpenAlerts(each);
  return signal.aborted ? null : tally.toSummaries(dateOf(day));
}

/** All records, read part by part. */
async function* slices<Each>(
  signal: AbortSignal,
  read: (after: Each | undefined) => Promise<readonly Each[]>,
): AsyncGenerator<Each> {
  let after: Each | undefined;
  while (!signal.aborted) {
    const part = await read(after);
    yield* part;
    if (part.length < SLICE) return;
    after = part.at(-1);
    await nextTurn();
  }
}
