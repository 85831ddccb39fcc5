import type { PolicyDecision } from '@probity/pipeline';
import type { SkippedText } from '@probity/pipeline/messages';
import type { GatewayConfig } from '../config/read-config.ts';
import { GATEWAY_POLICY_ID } from '../snapshot/policy.ts';

/** Decides on what has no text: images, sounds, files, tokens, items of unknown types. */
export interface Unscanned {
  /** By type, of the whole call. */
  readonly counts: ReadonlyMap<string, number>;
  /** The decision with what the configuration says of such parts. */
  decide(decision: PolicyDecision, parts: readonly SkippedText[]): PolicyDecision;
}

/** A part's own word for what it is goes into a header and the log. */
const TYPE = /^[\w.-]{1,64}$/;

/** @param mode what the configuration says */
export function createUnscanned(mode: GatewayConfig['models']['media']): Unscanned {
  const counts = new Map<string, number>();
  return {
    counts,
    decide(decision, parts) {
      const now = new Map<string, number>();
      for (const { type } of parts) {
        const name = TYPE.test(type) ? type : 'other';
        now.set(name, (now.get(name) ?? 0) + 1);
      }
      // Events of a stream repeat what came before them.
      for (const [name, count] of now) counts.set(name, Math.max(count, counts.get(name) ?? 0));
      if (now.size === 0 || mode === 'pass' || decision.verdict === 'blocked') return decision;
      if (mode === 'flag') return { ...decision, verdict: 'flagged' };
      const reason = `models.media refuses ${[...now.keys()].join(', ')}`;
      const violation = { policyId: GATEWAY_POLICY_ID, code: 'POLICY_BLOCKED', reason } as const;
      return { ...decision, verdict: 'blocked', violation };
    },
  };
}
