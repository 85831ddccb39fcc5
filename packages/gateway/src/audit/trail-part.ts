import type { Clock } from '@probity/core';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { CheckText } from '../database/gateway-database.ts';
import type { AuditRow } from './rows.ts';
import type { AuditTrail } from './trail.ts';

/** How the trail is, as the primary tells it. */
interface TrailState {
  readonly check: CheckText;
  readonly isReady: boolean;
}

type Question =
  | { readonly ask: 'state' }
  | { readonly ask: 'erase'; readonly forms: readonly string[] }
  | { readonly ask: 'write'; readonly rows: readonly AuditRow[] };

const PART = 'audit';
/** How long a row waits for others before it is sent. */
const BATCH_MS = 20;

/** The part of the primary that writes the audit table for all processes. */
export function createAuditPart(trail: AuditTrail): PrimaryPart {
  const state = (): TrailState => ({ check: trail.check(), isReady: trail.isReady() });
  return {
    name: PART,
    take: (rows) => trail.sink.write(rows as readonly AuditRow[]),
    answer(message) {
      const question = message as Question;
      if (question.ask === 'state') return state();
      if (question.ask === 'erase') return trail.eraseUser(question.forms);
      return trail.sink.writeNow(question.rows);
    },
    prepare: (config) => ({ commit: () => trail.use(config), discard: () => undefined }),
    close: () => trail.stop(),
  };
}

/** The trail as one of several processes uses it: rows go to the primary, in their order. */
export function connectAuditTrail(clock: Clock, primary: Primary): AuditTrail {
  let waiting: AuditRow[] = [];
  let state: TrailState = { check: 'starting', isReady: false };
  const send = () => {
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) primary.tell(PART, rows);
  };
  const probe = async () => {
    state = await primary.call<TrailState>(PART, { ask: 'state' } satisfies Question);
  };
  return {
    sink: {
      write(rows) {
        if (waiting.length === 0 && rows.length > 0) clock.setTimer(send, BATCH_MS);
        waiting.push(...rows);
      },
      writeNow(rows) {
        send();
        return primary.call<boolean>(PART, { ask: 'write', rows } satisfies Question);
      },
    },
    check: () => state.check,
    isReady: () => state.isReady,
    // Counted by the primary.
    poolSize: () => 0,
    waiting: () => 0,
    async eraseUser(forms) {
      send();
      return primary.call<number>(PART, { ask: 'erase', forms } satisfies Question);
    },
    probe,
    sweep: async () => undefined,
    use: () => undefined,
    start: probe,
    async stop() {
      const rows = waiting;
      waiting = [];
      await primary.call(PART, { ask: 'write', rows } satisfies Question);
    },
  };
}
