import { setTimeout as delay } from 'node:timers/promises';
import type { Program, ReceivedRequest, ReceiverReply, TestLifetime } from '@probity/test-support';
import { PATIENCE_MS, startHttpsReceiver } from '@probity/test-support';
import { withDatabase } from './open-database.ts';
import type { RunningServer } from './support.ts';
import { bootstrap, createWebhook, scanLeak, serveProcess } from './support.ts';

/** When a server is killed: what its receiver does until then. */
export const KILL_MOMENTS = ['after trigger', 'mid-delivery', 'mid-retry'] as const;
type KillMoment = (typeof KILL_MOMENTS)[number];

/** Result of one cycle: events are stored, the server is killed and started again. */
export interface CrashCycle {
  readonly moment: KillMoment;
  /** Scans that were answered before the kill, each of which stored an event. */
  readonly events: number;
  /** Deliveries in progress at the kill, by the database. */
  readonly inFlight: number;
  /** Requests after the kill for events that had been answered 2xx before. */
  readonly duplicates: number;
  /** Answered scans whose event did not arrive within {@link PATIENCE_MS} after the restart. */
  readonly lost: readonly string[];
  /** From the start of the listening server to the arrival of the last event stored before. */
  readonly recoveryMs: number;
}

const CLIENTS = 3;
const MOST_SCANS = 8;
const LONGEST_PAUSE_MS = 30;
/** Longer than the first delay of the retry profile, so that some are killed in the second attempt. */
const LONGEST_RETRY_PAUSE_MS = 1_300;

/** Runs cycles of kill -9 on a server with one webhook, the moments in turn. */
export async function runCrashCycles(
  test: TestLifetime,
  location: string,
  cycles: number,
  onCycle: (cycle: CrashCycle) => void = () => undefined,
): Promise<CrashCycle[]> {
  const ledger = createLedger();
  const receiver = await startHttpsReceiver({ test, handler: ledger.answer });
  const { api_key: key } = await bootstrap(location);
  const results: CrashCycle[] = [];
  let server = await serveProcess(test, location, { receiver });
  await createWebhook(server.url, key, receiver);
  for (let index = 0; index < cycles; index += 1) {
    const moment = KILL_MOMENTS[index % KILL_MOMENTS.length] as KillMoment;
    const events = await runAndKill(server, key, ledger, moment);
    const inFlight = await countLeased(location);
    const duplicatesBefore = ledger.duplicates;
    ledger.begin('after trigger');
    server = await serveProcess(test, location, { receiver });
    const startedMs = performance.now();
    const lost = await waitForAll(ledger, location);
    const recoveryMs = Math.max(0, ledger.lastNewMs - startedMs);
    const duplicates = ledger.duplicates - duplicatesBefore;
    const cycle = { moment, events, inFlight, duplicates, lost, recoveryMs };
    results.push(cycle);
    onCycle(cycle);
  }
  await server.program.terminate();
  return results;
}

type Ledger = ReturnType<typeof createLedger>;

/** What was triggered, and what arrived. */
function createLedger() {
  const triggered = new Set<string>();
  const arrived = new Set<string>();
  const accepted = new Set<string>();
  const refused = new Set<string>();
  const ledger = {
    /** What the receiver does with first attempts of events. */
    moment: 'after trigger' as KillMoment,
    /** Requests of this life of the server that were not answered, or refused. */
    unanswered: 0,
    duplicates: 0,
    /** When an event was accepted for the first time, by the monotonic clock. */
    lastNewMs: 0,
    begin(moment: KillMoment) {
      ledger.moment = moment;
      ledger.unanswered = 0;
    },
    trigger(scanId: string) {
      triggered.add(scanId);
    },
    missing: () => [...triggered].filter((scanId) => !arrived.has(scanId)),
    answer({ rawBody }: ReceivedRequest): ReceiverReply | undefined {
      const { id: event, data } = JSON.parse(rawBody.toString());
      if (ledger.moment === 'mid-delivery' && Math.random() < 0.5) {
        ledger.unanswered += 1;
        return undefined;
      }
      if (ledger.moment === 'mid-retry' && !refused.has(event)) {
        refused.add(event);
        ledger.unanswered += 1;
        return { status: 500 };
      }
      if (accepted.has(event)) ledger.duplicates += 1;
      else ledger.lastNewMs = performance.now();
      accepted.add(event);
      // An alert does not name its scan; the violation of the same scan does.
      if (data.scanId) arrived.add(data.scanId);
      return {};
    },
  };
  return ledger;
}

/** Returns the number of scans that were answered. */
async function runAndKill(
  { url, program }: RunningServer<Program>,
  key: string,
  ledger: Ledger,
  moment: KillMoment,
): Promise<number> {
  ledger.begin(moment);
  const enough = 1 + Math.floor(Math.random() * MOST_SCANS);
  let scans = 0;
  const scan = async () => {
    for (;;) {
      // The kill ends the request.
      const answer = await scanLeak(url, key).catch(() => null);
      if (answer === null) return;
      if (answer.status !== 403) throw new Error(`the scan was answered ${answer.status}`);
      ledger.trigger(answer.body.governance.scan_id);
      scans += 1;
      if (scans >= enough && moment !== 'after trigger') return;
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, scan));
  const isDue = () => scans >= enough && (moment === 'after trigger' || ledger.unanswered > 0);
  while (!isDue()) await delay(1);
  const longest = moment === 'mid-retry' ? LONGEST_RETRY_PAUSE_MS : LONGEST_PAUSE_MS;
  await delay(Math.random() * longest);
  await program.kill9();
  await clients;
  return scans;
}

/** Deliveries that a worker holds, by the database. */
function countLeased(location: string): Promise<number> {
  return withDatabase(location, async (database) => {
    const reads = database.kernel(database.reader);
    const all = { limit: 10_000, offset: 0 };
    const { items } = await reads.listJobs(all, 'webhooks.deliver');
    return items.filter(({ isLeased }) => isLeased).length;
  });
}

/** Returns the events that did not arrive in time. */
async function waitForAll(ledger: Ledger, location: string): Promise<string[]> {
  const until = performance.now() + PATIENCE_MS;
  while (ledger.missing().length > 0 && performance.now() < until) await delay(5);
  // Those whose acknowledgment was lost come again when the leases of the killed process end.
  while ((await countLeased(location)) > 0 && performance.now() < until) await delay(50);
  return ledger.missing();
}
