import type { DecidedFinding, PolicyDecision, ScanResult } from '@probity/pipeline';
import { BlockedError, ScanCanceledError } from '@probity/pipeline';
import type { ScanSubject } from '../audit/rows.ts';
import { RECORDED_VALUES } from '../scanner/found-values.ts';
import { reportFailure, reportScan } from '../scanner/report.ts';
import { streamSummaryOf } from '../scanner/scan-summary.ts';
import type { ProxyCallOptions } from './guarded-call.ts';

/** Gathers what several scans of one request or answer found, and reports it as one scan. */
export interface CallReport {
  /**
   * @param fresh the findings of it that are no one else's to report
   * @param matchedText the characters of a finding
   */
  add(
    decision: PolicyDecision,
    result: ScanResult,
    fresh: readonly DecidedFinding[],
    matchedText: (finding: DecidedFinding) => string,
  ): void;
  /** Reports, once; an error that is no block is reported as a failure. */
  finish(error?: unknown): void;
}

const NOTHING: PolicyDecision = { verdict: 'allowed', findings: [], policyIds: [] };
const RANKS = ['allowed', 'flagged', 'blocked'] as const;

/** The user that a request names, as it is recorded of the request and of the answer. */
export interface RecordedUser {
  /** Notes the findings of a scan, of which one may be in the id. */
  note(findings: readonly DecidedFinding[], matchedText: (finding: DecidedFinding) => string): void;
  id(): string | undefined;
}

/** Creates the record of a user: an id with a value that is blocked or redacted must not be stored as it came. */
export function createRecordedUser({
  userId,
  reporting,
}: Pick<ProxyCallOptions, 'userId' | 'reporting'>): RecordedUser {
  let isFound = false;
  return {
    note(findings, matchedText) {
      if (userId === undefined || isFound) return;
      isFound = findings.some((finding) => {
        if (finding.action !== 'block' && finding.action !== 'redact') return false;
        const text = matchedText(finding);
        return text !== '' && userId.includes(text);
      });
    },
    id() {
      return userId !== undefined && isFound ? reporting.personal.hideUser(userId) : userId;
    },
  };
}

/** Creates the report of a request or of an answer. */
export function createCallReport(
  options: ProxyCallOptions,
  of: 'request' | 'answer',
  user: RecordedUser,
): CallReport {
  const { snapshot, reporting, context, bypass } = options;
  const { clock } = reporting;
  const subject = (): ScanSubject => {
    const model = options.model?.();
    return { kind: 'model', of, ...(model !== undefined && { model }) };
  };
  const startedAtMs = clock.monotonicMs();
  let durationMs = 0;
  let strictest = NOTHING;
  let redacted: PolicyDecision['redacted'];
  const stages: ScanResult['stages'][number][] = [];
  const scores: Record<string, number | null> = {};
  const found = new Map<string, DecidedFinding[]>();
  const values = new Map<object, string>();
  let isDone = false;
  return {
    add(decision, result, fresh, matchedText) {
      durationMs += result.durationMs;
      user.note(fresh, matchedText);
      stages.push(...result.stages);
      for (const [name, score = null] of Object.entries(result.scores)) {
        const held = scores[name] ?? null;
        scores[name] = held === null || score === null ? (held ?? score) : Math.max(held, score);
      }
      if (RANKS.indexOf(decision.verdict) > RANKS.indexOf(strictest.verdict)) strictest = decision;
      if (fresh.some(({ action }) => action === 'redact'))
        redacted = { prompt: null, response: '' };
      keepMost(found, fresh, (kept, replaced) => {
        for (const each of replaced) values.delete(each);
        keepValues(values, kept, matchedText);
      });
    },
    finish(thrown) {
      if (isDone) return;
      isDone = true;
      const error = endOf(thrown, context.signal);
      if (error !== undefined && !(error instanceof BlockedError)) {
        const elapsedMs = clock.monotonicMs() - startedAtMs;
        const failed = { error, durationMs: elapsedMs, userId: user.id(), about: subject() };
        reportFailure(snapshot, reporting, context, failed);
        return;
      }
      const { violation } = strictest;
      const decision: PolicyDecision = {
        verdict: strictest.verdict,
        findings: [...found.values()].flat(),
        policyIds: strictest.policyIds,
        ...(violation && { violation }),
        ...(redacted && violation === undefined && { redacted }),
      };
      const summary = streamSummaryOf(
        decision,
        merged(stages, scores, durationMs),
        bypass,
        clock.now(),
      );
      const about = subject();
      const facts = { userId: user.id(), about, matched: (finding: object) => values.get(finding) };
      reportScan(snapshot, reporting, context, { summary, durationMs, facts });
    },
  };
}

/**
 * What ended a call. Where the client has left, that is the cause, whatever failed in consequence: no failure of the
 * gateway or of a provider.
 */
export function endOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error === undefined || error instanceof BlockedError || !signal?.aborted) return error;
  return new ScanCanceledError([], error);
}

/**
 * Events of a stream repeat what came before them: of findings of one kind in one place, those of the scan
 * that has most of them count.
 */
function keepMost(
  found: Map<string, DecidedFinding[]>,
  fresh: readonly DecidedFinding[],
  onKept: (kept: readonly DecidedFinding[], replaced: readonly DecidedFinding[]) => void,
): void {
  const now = new Map<string, DecidedFinding[]>();
  for (const finding of fresh) {
    const { stage, type, start, end } = finding;
    const key = `${stage} ${type} ${start} ${end}`;
    now.set(key, [...(now.get(key) ?? []), finding]);
  }
  for (const [key, list] of now) {
    const held = found.get(key) ?? [];
    if (list.length <= held.length) continue;
    found.set(key, list);
    onKept(list, held);
  }
}

/** The texts of several scans are gone at the end: of what may be recorded with its value the characters are kept. */
function keepValues(
  values: Map<object, string>,
  kept: readonly DecidedFinding[],
  matchedText: (finding: DecidedFinding) => string,
): void {
  for (const finding of kept) {
    if (values.size >= RECORDED_VALUES) return;
    if (finding.stage === 'pii_scanner') values.set(finding, matchedText(finding));
  }
}

function merged(
  stages: ScanResult['stages'],
  scores: Readonly<Record<string, number | null>>,
  durationMs: number,
): ScanResult {
  return {
    stages,
    findings: [],
    findingsTruncated: false,
    omitted: [],
    scores: scores as ScanResult['scores'],
    failedClosed: [],
    durationMs,
  };
}
