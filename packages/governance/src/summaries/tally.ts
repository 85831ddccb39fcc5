import type { RuntimeSummary } from '@probity/core/internal';
import type { OpenAlerts, TimedAlert } from '../alerts/storage.ts';
import type { TimedScan } from '../scans/storage.ts';

/** Entries of a list in a summary at most; those with the largest numbers are kept. */
const MAX_ENTRIES = 1_000;

/** AI systems that are told apart on a day: callers choose the ids. What is about others counts as about none. */
const MAX_SYSTEMS = 1_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What is counted of one AI system. */
interface SystemTally {
  readonly scans: { total: number; errors: number };
  readonly verdicts: Map<string, number>;
  readonly blocks: Map<string, number>;
  readonly policies: Map<string, { id: string; version: number; actedOn: number }>;
  readonly alerts: { created: number; resolved: number; open: number };
  readonly decisions: Map<string, number>;
}

/** Counts what happened on a day, by AI system. */
export interface DayTally {
  addScan(scan: TimedScan): void;
  addCreatedAlert(alert: TimedAlert): void;
  addResolvedAlert(alert: TimedAlert): void;
  /** Counts alerts that were open at the end of the day, if their AI system was active; to be called last. */
  addOpenAlerts(open: OpenAlerts): void;
  /** One summary of each AI system that was active, and one of the calls about none. */
  toSummaries(day: string): RuntimeSummary[];
}

/** Creates the tally of a day. */
export function createDayTally(): DayTally {
  const systems = new Map<string | null, SystemTally>();
  const keyOf = ({ aiSystemId }: { readonly aiSystemId: string | null }): string | null => {
    if (aiSystemId === null || !UUID.test(aiSystemId)) return null;
    return systems.has(aiSystemId) || systems.size < MAX_SYSTEMS ? aiSystemId : null;
  };
  const of = (record: { readonly aiSystemId: string | null }): SystemTally => {
    const key = keyOf(record);
    const known = systems.get(key);
    if (known) return known;
    const created = newTally();
    systems.set(key, created);
    return created;
  };
  return {
    addScan: (scan) => addScan(of(scan), scan),
    addCreatedAlert(alert) {
      of(alert).alerts.created += 1;
    },
    addResolvedAlert(alert) {
      const { alerts, decisions } = of(alert);
      alerts.resolved += 1;
      if (alert.resolvedBy !== null) increase(decisions, alert.resolvedBy);
    },
    addOpenAlerts(open) {
      const known = systems.get(keyOf(open));
      if (known) known.alerts.open += open.count;
    },
    toSummaries: (day) => [...systems].map(([id, tally]) => toSummary(id, day, tally)),
  };
}

function newTally(): SystemTally {
  return {
    scans: { total: 0, errors: 0 },
    alerts: { created: 0, resolved: 0, open: 0 },
    ...{ verdicts: new Map(), blocks: new Map(), policies: new Map(), decisions: new Map() },
  };
}

function addScan(
  { scans, verdicts, blocks, policies }: SystemTally,
  { verdict, violation, facts, policies: applied }: TimedScan,
): void {
  scans.total += 1;
  if ((facts?.unfinished ?? []).length > 0) scans.errors += 1;
  increase(verdicts, verdict);
  if (violation) increase(blocks, violation.code);
  for (const { id, version } of applied) {
    const key = `${version} ${id}`;
    const counted = policies.get(key) ?? { id, version, actedOn: 0 };
    if ((violation?.policyId ?? facts?.redactedBy) === id) counted.actedOn += 1;
    policies.set(key, counted);
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function toSummary(aiSystemId: string | null, day: string, tally: SystemTally): RuntimeSummary {
  const decisions = [...tally.decisions].map(([memberId, resolved]) => ({ memberId, resolved }));
  return {
    aiSystemId,
    day,
    scans: tally.scans,
    verdicts: Object.fromEntries(tally.verdicts),
    blocks: Object.fromEntries(tally.blocks),
    policies: largest([...tally.policies.values()], ({ actedOn }) => actedOn),
    alerts: tally.alerts,
    decisions: largest(decisions, ({ resolved }) => resolved),
  };
}

function largest<Entry>(entries: readonly Entry[], countOf: (entry: Entry) => number): Entry[] {
  return [...entries].sort((left, right) => countOf(right) - countOf(left)).slice(0, MAX_ENTRIES);
}
