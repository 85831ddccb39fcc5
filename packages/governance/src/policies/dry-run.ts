import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallContext } from '@probity/core';
import { notFound, validationError } from '@probity/core';
import { validate } from '@probity/core/internal';
import type { Pipeline, PolicyDecision, PolicyRule, ScanResult } from '@probity/pipeline';
import { evaluatePolicies, parsePolicies } from '@probity/pipeline';
import { createToResult } from '../scans/facts.ts';
import { definitionsOf } from '../scans/record.ts';
import type { ScanReads, StoredJudgedScan } from '../scans/storage.ts';
import { dryRunRequest, requireKnownRules } from './input.ts';
import { MAX_DRY_RUN_SCANS } from './limits.ts';
import type { PolicySets } from './policy-sets.ts';
import { selectPolicies } from './select.ts';
import type { ResolvedPolicy } from './types.ts';

/** Which rules to try on which stored scans. */
export interface DryRunRequest {
  readonly rules: readonly PolicyRule[];
  /** The policy whose rules they replace; absent for a further policy. */
  readonly policyId?: string | undefined;
  /** The number of newest scans; default 10,000 where `since` is absent. */
  readonly last?: number | undefined;
  /** The scans made at this time or later, of which at most the newest 100,000. */
  readonly since?: Date | undefined;
}

type Verdict = PolicyDecision['verdict'];
/** Numbers of scans by verdict. */
type VerdictCounts = Readonly<Record<Verdict, number>>;

/** A scan whose verdict would be another one. */
interface ChangedScan {
  readonly scanId: string;
  readonly createdAt: Date;
  readonly before: Verdict;
  readonly after: Verdict;
  /** Why it would be blocked; null where it would not. */
  readonly reason: string | null;
}

/** What the rules would do. */
export interface DryRun {
  /** Number of scans that were judged. */
  readonly scans: number;
  /** Whether these are all scans since `since`; false where there are more than 100,000. */
  readonly isComplete: boolean;
  /** Verdicts by the present policies. */
  readonly before: VerdictCounts;
  /** Verdicts with the rules in force. */
  readonly after: VerdictCounts;
  /** Number of scans whose verdict would be another one. */
  readonly changed: number;
  /** The newest of them, at most 50. */
  readonly changes: readonly ChangedScan[];
}

/** Tries rules on stored scans. */
export interface DryRuns {
  /**
   * Judges stored scans by the present policies and by the same with the rules, enabled and enforced. Nothing is
   * changed. Equal to the verdicts that the same contents get once the rules are in force.
   * @throws ProbityError `validation_failed` with every bad field; `not_found` for an unknown `policyId`
   */
  dryRun(context: CallContext, request: DryRunRequest): Promise<DryRun>;
}

/** Dependencies of dry runs. */
export interface DryRunOptions {
  readonly scans: Pick<ScanReads, 'readJudgedScans'>;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
}

/** Scans that are read and judged without yielding: some milliseconds of work. */
const SLICE = 250;
const MAX_CHANGES = 50;
const DEFAULT_LAST = 10_000;

/** Id of the tried policy where it replaces none; no stored id is like it. */
const TRIED_ID = 'tried';

/** Creates the service for dry runs. */
export function createDryRuns({ scans, pipeline, sets }: DryRunOptions): DryRuns {
  const toResult = createToResult(definitionsOf(pipeline));
  return {
    async dryRun(context, request) {
      const { rules, policyId, last, since } = validate(dryRunRequest, request, 'request');
      requireOneRange(last, since);
      requireKnownRules(rules, pipeline);
      const { organizationId } = context.principal;
      const present = await sets.current(organizationId);
      const tried = withTried(present, { rules, policyId }, pipeline);
      const judges = { before: createJudge(present), after: createJudge(tried) };
      const tally = createTally();
      const limit = since ? MAX_DRY_RUN_SCANS : (last ?? DEFAULT_LAST);
      let after: StoredJudgedScan | undefined;
      let isEnd = false;
      while (!isEnd && tally.scans() < limit) {
        const count = Math.min(SLICE, limit - tally.scans());
        const part = await scans.readJudgedScans(organizationId, { since, after, limit: count });
        for (const scan of part) {
          const result = toResult(scan);
          tally.add(scan, judges.before(scan, result), judges.after(scan, result));
        }
        after = part.at(-1);
        isEnd = part.length < count;
        await nextTurn();
      }
      // What is beyond the limit is looked for only where the request asks for all.
      const rest =
        since && !isEnd
          ? await scans.readJudgedScans(organizationId, { since, after, limit: 1 })
          : [];
      return tally.result(rest.length === 0);
    },
  };
}

function requireOneRange(last: number | undefined, since: Date | undefined): void {
  if (last === undefined || since === undefined) return;
  throw validationError({ field: 'since', message: 'must not be given together with last' });
}

/** The present policies with the tried rules, enabled and enforced. */
function withTried(
  present: readonly ResolvedPolicy[],
  { rules, policyId }: Pick<DryRunRequest, 'rules' | 'policyId'>,
  pipeline: Pipeline,
): ResolvedPolicy[] {
  const id = policyId ?? TRIED_ID;
  const known = present.find((policy) => policy.id === policyId);
  if (policyId !== undefined && !known) throw notFound('policy');
  const [policy] = parsePolicies([{ id, name: 'Tried rules', enabled: true, rules }], { pipeline });
  if (!policy) throw new Error('A checked policy is parsed.');
  const tried: ResolvedPolicy = {
    ...{ id, version: 0, name: policy.name, description: null, rules, policy },
    ...{ enabled: true, mode: 'enforce', isStored: true, createdAt: null, updatedAt: null },
    ...{ isDefault: known?.isDefault ?? true, keyIds: known?.keyIds ?? null },
  };
  return known ? present.map((each) => (each === known ? tried : each)) : [...present, tried];
}

/** Decides on stored scans by the policies that apply to each. */
function createJudge(
  policies: readonly ResolvedPolicy[],
): (scan: StoredJudgedScan, result: ScanResult) => PolicyDecision {
  const chosen = new Map<string, readonly ResolvedPolicy['policy'][]>();
  const choose = ({ keyId, namedPolicyIds }: StoredJudgedScan) => {
    const key = namedPolicyIds === null ? keyId : JSON.stringify([keyId, namedPolicyIds]);
    const known = chosen.get(key);
    if (known) return known;
    // A scan may name a policy that was deleted since.
    const ids = namedPolicyIds?.filter((id) => policies.some((policy) => policy.id === id));
    const selected =
      ids?.length === 0
        ? policies.filter(({ enabled, keyIds }) => enabled && keyIds?.includes(keyId))
        : selectPolicies(policies, ids, keyId);
    const enforced = selected.filter(({ mode }) => mode === 'enforce').map(({ policy }) => policy);
    chosen.set(key, enforced);
    return enforced;
  };
  return (scan, result) => evaluatePolicies(choose(scan), result, NO_TEXT);
}

const NO_TEXT = Object.freeze({ response: '' });

function createTally() {
  const none = () => ({ allowed: 0, flagged: 0, blocked: 0 });
  const counts = { before: none(), after: none() };
  const changes: ChangedScan[] = [];
  let scans = 0;
  let changed = 0;
  return {
    scans: () => scans,
    add({ id, createdAt }: StoredJudgedScan, before: PolicyDecision, after: PolicyDecision) {
      scans += 1;
      counts.before[before.verdict] += 1;
      counts.after[after.verdict] += 1;
      if (before.verdict === after.verdict) return;
      changed += 1;
      if (changes.length === MAX_CHANGES) return;
      const reason = after.violation?.reason ?? null;
      const verdicts = { before: before.verdict, after: after.verdict };
      changes.push({ scanId: id, createdAt, ...verdicts, reason });
    },
    result: (isComplete: boolean): DryRun => ({ scans, isComplete, ...counts, changed, changes }),
  };
}
