import { createFindingList } from '../finding-list.ts';
import { combinedRisk } from '../risk.ts';
import type { StageFacts } from '../stage-definition.ts';
import { severityOf } from '../stage-definition.ts';
import { stageFacts } from '../stages.ts';
import type {
  Finding,
  FindingGroup,
  ScanResult,
  Scores,
  StageName,
  StageReport,
} from '../types.ts';
import { isFinished } from '../unfinished.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';

/** Findings that a conversation keeps, the most severe ones, as many as a scan does by default. */
const MAX_FINDINGS = 10_000;
/**
 * One result for all scans of a conversation: the larger score counts, and a stage has finished that finished everywhere.
 *
 * @param placed all findings; the results may have none
 */
export function* mergeResults(
  results: readonly ScanResult[],
  placed: readonly Finding[],
): Steps<ScanResult> {
  const stages = yield* mergeReports(results.map((result) => result.stages));
  const facts = stageFacts(stages);
  const kept = keepMostSevere(placed, facts);
  const omitted = [...results.flatMap((result) => result.omitted), ...kept.omitted];
  return {
    stages,
    findings: kept.findings,
    findingsTruncated: omitted.length > 0,
    omitted,
    scores: yield* mergeScores(results, stages, [...kept.findings, ...omitted]),
    failedClosed: [...new Set(results.flatMap(({ failedClosed }) => failedClosed))],
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

/** A conversation may have as many findings for each of its turns as a scan has. */
function keepMostSevere(placed: readonly Finding[], factsOf: (stage: StageName) => StageFacts) {
  if (placed.length <= MAX_FINDINGS) return { findings: placed, omitted: [] };
  const list = createFindingList(MAX_FINDINGS, (stage, found) => severityOf(factsOf(stage), found));
  for (const found of placed) list.add(found.stage, found);
  return list.finish();
}

/** The larger score counts, but for combined risks, which are those of all that was found. */
function* mergeScores(
  results: readonly ScanResult[],
  stages: readonly StageReport[],
  found: readonly (Finding | FindingGroup)[],
): Steps<Scores> {
  const merged: Record<string, number | null> = {};
  for (const { scores } of results) {
    if (isStepDue()) yield;
    for (const [name, score = null] of Object.entries(scores)) {
      const held = merged[name] ?? null;
      merged[name] = held === null || score === null ? (held ?? score) : Math.max(held, score);
    }
  }
  const facts = stageFacts(stages);
  for (const { stage } of stages) {
    const { score, scoring, risks } = facts(stage);
    if (scoring !== 'risk' || (merged[score] ?? null) === null) continue;
    merged[score] = combinedRisk(
      found.filter((each) => each.stage === stage),
      risks,
    );
  }
  return merged as Scores;
}

/** A stage that did not come to its end says more than one that does not cover a text. */
function severity({ status }: StageReport): number {
  if (!isFinished(status)) return 2;
  return status === 'ok' ? 0 : 1;
}

function* mergeReports(all: readonly (readonly StageReport[])[]): Steps<StageReport[]> {
  const [first = []] = all;
  const merged: StageReport[] = [];
  for (const [index, report] of first.entries()) {
    let shown = report;
    let durationMs = 0;
    for (const reports of all) {
      if (isStepDue()) yield;
      const each = reports[index] as StageReport;
      durationMs += each.durationMs;
      if (severity(each) > severity(shown)) shown = each;
    }
    merged.push({ ...shown, durationMs });
  }
  return merged;
}
