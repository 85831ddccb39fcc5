import { z } from 'zod';

const count = z.int().nonnegative();
const id = z.string().min(1).max(200);
const counts = z.record(z.string().min(1).max(100), count);

/**
 * What happened to an AI system at run time on one day (UTC), as counts and ids: no text of a prompt, an answer or a
 * resolution.
 */
export const runtimeSummary = z.strictObject({
  /** UUID; null for calls that are about no AI system. */
  aiSystemId: z.uuid().nullable(),
  /** ISO 8601 date. */
  day: z.iso.date(),
  /** `errors`: those of which a stage failed or ran out of time. */
  scans: z.strictObject({ total: count, errors: count }),
  /** Scans by verdict: `allowed`, `flagged`, `blocked`. */
  verdicts: counts,
  /** Blocked scans by reason, such as `PII_DETECTED`. */
  blocks: counts,
  /** The versions of policies that were in force, with the number of scans that each blocked or had redacted. */
  policies: z.array(z.strictObject({ id, version: count, actedOn: count })).max(1_000),
  alerts: z.strictObject({ created: count, resolved: count, open: count }),
  /** Who decided: the members that resolved alerts, and how many. */
  decisions: z.array(z.strictObject({ memberId: id, resolved: count })).max(1_000),
});

/** The data of the event `runtime.summarized`. */
export type RuntimeSummary = z.infer<typeof runtimeSummary>;
