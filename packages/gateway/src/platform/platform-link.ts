import type { Clock, Logger } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { PlatformClient } from './platform-client.ts';
import type { PlatformState } from './platform-state.ts';
import type { PlatformRules } from './rules.ts';
import type { UsageJournal } from './usage-journal.ts';

/** What a gateway does with the platform. */
export interface PlatformLink {
  /** What the platform decides; read when a configuration is built. */
  rules(): PlatformRules;
  /** Counts a scan; call it before the scan is answered. */
  countScan(): void;
  /** Pulls once, so that nothing is served by less, and then does everything once a minute. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One round: heartbeat, reports, pulls. What fails is logged, and tried again in the next one. */
  runOnce(): Promise<void>;
}

/** Dependencies of the link. */
export interface PlatformLinkOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: PlatformClient;
  readonly journal: UsageJournal;
  readonly state: PlatformState;
  readonly version: string;
  /** Builds the configuration in force again and puts it in force; throws where that fails. */
  readonly rebuild: () => Promise<void>;
}

const ROUND_MS = 60_000;
/** Minutes of one report. */
const MAX_MINUTES = 500;
/** The knowledge base is larger and changes less often than policies: it is pulled in each fifth round. */
const KNOWLEDGE_ROUNDS = 5;

/** Creates the link to the platform, with what was pulled before the last end. */
export function createPlatformLink(options: PlatformLinkOptions): PlatformLink {
  const { clock, logger, client, journal, state } = options;
  let rules = state.readRules();
  let round = 0;
  let running: Promise<void> = Promise.resolve();

  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message } = error as Error;
      logger.warn(`${what} failed; it is tried again in a minute`, { error: message });
    }
  }

  async function report(): Promise<void> {
    const minutes = journal.closed();
    for (let at = 0; at < minutes.length; at += MAX_MINUTES) {
      const batch = minutes.slice(at, at + MAX_MINUTES);
      const { expired, gateway_scans: quota } = await client.reportUsage(state.instanceId, batch);
      // Only now: a report whose answer is lost is sent again, and counted once.
      for (const minute of batch) journal.settle(minute);
      if (expired > 0) logger.error('scans were reported too late to be counted', { expired });
      if (quota.used > quota.limit)
        logger.warn('the quota of gateway_scans is spent', { ...quota });
    }
  }

  async function pull(withKnowledge: boolean): Promise<void> {
    const policies = await client.pullPolicies();
    const knowledge = withKnowledge ? await client.pullKnowledge() : rules.knowledge;
    const before = rules;
    const pulled = { policies, knowledge };
    if (JSON.stringify(pulled) === JSON.stringify(before)) return;
    rules = pulled;
    try {
      await options.rebuild();
    } catch (error) {
      rules = before;
      throw error;
    }
    state.writeRules(pulled);
    const counts = { policies: policies.length, knowledge: knowledge.length };
    logger.info('policies and knowledge of the platform are in force', counts);
  }

  async function runRound(): Promise<void> {
    const withKnowledge = round % KNOWLEDGE_ROUNDS === 0;
    round += 1;
    await attempt('the heartbeat to the platform', () =>
      client.heartbeat(state.instanceId, options.version),
    );
    await attempt('the report of scans to the platform', report);
    await attempt('the pull from the platform', () => pull(withKnowledge));
  }

  const runOnce = () => {
    running = running.then(runRound);
    return running;
  };
  const repeating = createRepeating({ clock, intervalMs: ROUND_MS, work: runOnce });
  return {
    rules: () => rules,
    countScan: journal.count,
    async start() {
      await runOnce();
      await repeating.start();
    },
    async stop() {
      await repeating.stop();
      await attempt('the report of scans to the platform', report);
      journal.close();
    },
    runOnce,
  };
}
