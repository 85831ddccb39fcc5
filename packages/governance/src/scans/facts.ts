import type {
  DecidedFinding,
  Finding,
  FindingGroup,
  ScanResult,
  Scores,
  StageDefinition,
  StageName,
  StageReport,
  StageStatus,
} from '@probity/pipeline';
import { BUILT_IN_STAGES } from '@probity/pipeline';
import type { Scan } from './types.ts';

/** A finding without its place. */
type Found = readonly [stage: StageName, type: string, score: number];

/**
 * What policies need to judge a scan again, besides its scores and its listed findings. Members that would be
 * empty are absent.
 */
export interface ScanFacts {
  /** Kinds of findings that the record does not list because there are too many. */
  readonly cut?: readonly Found[];
  /** Findings that the pipeline did not list, whose places are not known, with their number. */
  readonly omitted?: ReadonlyArray<readonly [...Found, count: number]>;
  /** Stages that did not come to their end. */
  readonly unfinished?: ReadonlyArray<readonly [stage: StageName, status: StageStatus]>;
  /** Stages that failed although they must not. */
  readonly failedClosed?: readonly StageName[];
  /** The policy that had texts redacted; no policy needs it, summaries count it. */
  readonly redactedBy?: string;
}

/** Everything about a scan that policies judge. */
export interface JudgedScan {
  readonly scores: Scan['scores'];
  readonly findings: ReadonlyArray<Pick<Finding, 'stage' | 'type' | 'score'>>;
  readonly facts: ScanFacts | null;
}

type JudgedResult = Pick<ScanResult, 'omitted' | 'stages' | 'failedClosed'>;
type Kind = Pick<DecidedFinding, 'stage' | 'type' | 'score'>;

/** The facts of a scan; null when its scores and listed findings are all there is, as mostly. */
export function toFacts(
  result: JudgedResult,
  findings: readonly Kind[],
  listed: readonly Kind[],
  redactedBy?: string,
): ScanFacts | null {
  const judged = toJudgedFacts(result, findings, listed);
  return redactedBy === undefined ? judged : { ...judged, redactedBy };
}

function toJudgedFacts(
  result: JudgedResult,
  findings: readonly Kind[],
  listed: readonly Kind[],
): ScanFacts | null {
  const cut = findings.length > listed.length ? distinct(findings) : [];
  const omitted = result.omitted.map(
    ({ stage, type, score, count }) => [stage, type, score, count] as const,
  );
  const unfinished = result.stages
    .filter(({ status }) => status !== 'ok' && status !== 'not_covered')
    .map(({ stage, status }) => [stage, status] as const);
  const { failedClosed } = result;
  if (cut.length + omitted.length + unfinished.length + failedClosed.length === 0) return null;
  const members = { cut, omitted, unfinished, failedClosed };
  const given = Object.entries(members).filter(([, list]) => list.length > 0);
  return Object.fromEntries(given) as ScanFacts;
}

function distinct(findings: readonly Kind[]) {
  const known = new Map<string, Found>();
  for (const { stage, type, score } of findings) {
    const key = `${stage} ${score} ${type}`;
    if (!known.has(key)) known.set(key, [stage, type, score]);
  }
  return [...known.values()];
}

/** Makes results of stored scans, with which policies decide as they would have on the scans themselves. */
export type ToResult = (scan: JudgedScan) => ScanResult;

/**
 * Prepares the conversion for the stages of a pipeline. Findings stand in the context, where nothing is redacted: no
 * text is stored, and a verdict does not depend on the field.
 */
export function createToResult(definitions: readonly StageDefinition[]): ToResult {
  const finished = definitions.map((definition): StageReport => {
    const report = { stage: definition.name, status: 'ok', durationMs: 0 } as const;
    // Policies know the facts of these, and look for them sooner than in a report.
    if (BUILT_IN_STAGES.some((known) => known === definition)) return report;
    const { score, scoring, isScoreJudged, code, risks, types } = definition;
    const facts = { score, scoring, isScoreJudged, code, types, ...(risks && { risks }) };
    return { ...report, facts };
  });
  return ({ scores, findings, facts }) => {
    const found = findings.map(({ stage, type, score }) => toFinding(stage, type, score));
    for (const [stage, type, score] of facts?.cut ?? []) found.push(toFinding(stage, type, score));
    const omitted = (facts?.omitted ?? []).map(
      ([stage, type, score, count]): FindingGroup => ({ stage, type, score, count }),
    );
    return {
      stages: facts?.unfinished ? withStatuses(finished, facts.unfinished) : finished,
      findings: found,
      findingsTruncated: omitted.length > 0,
      omitted,
      scores: scores as Scores,
      failedClosed: facts?.failedClosed ?? [],
      durationMs: 0,
    };
  };
}

function toFinding(stage: StageName, type: string, score: number): Finding {
  return { stage, type, score, field: 'context', contextIndex: 0, start: 0, end: 0, reason: '' };
}

function withStatuses(
  reports: readonly StageReport[],
  unfinished: NonNullable<ScanFacts['unfinished']>,
): StageReport[] {
  const statuses = new Map(unfinished);
  const known = reports.map((report) => {
    const status = statuses.get(report.stage);
    statuses.delete(report.stage);
    return status ? { ...report, status } : report;
  });
  const others = [...statuses].map(([stage, status]) => ({ stage, status, durationMs: 0 }));
  return [...known, ...others];
}
