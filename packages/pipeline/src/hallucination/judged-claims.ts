import type { ClaimJudge, UncertainClaims } from '../backends/judge-claims.ts';
import { toLikelihood, toQuestion } from '../backends/judge-claims.ts';
import { passagesFor } from '../backends/passages.ts';
import type { Judgment } from '../backends/types.ts';
import type { Claim } from '../language/claims.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { HallucinationType } from './error-type.ts';
import { errorTypeOf, reasonFor } from './error-type.ts';

/** A claim with its features and how likely it is unfounded. */
export interface ScoredClaim {
  readonly claim: Claim;
  readonly features: Float32Array;
  readonly score: number;
}

/** The texts that a judge gets to see parts of. */
export interface JudgedTexts {
  readonly response: PreparedField;
  readonly sources: readonly PreparedField[];
  /** Where it is no source. */
  readonly prompt: PreparedField | undefined;
}

/** From this score on a claim is shown as a finding. */
export const MIN_SCORE = 0.5;
const MAX_QUESTION = 500;

/** Reports a claim if it is rather unfounded than not. */
export function reportClaim(
  context: StageContext,
  { claim: { start, end }, features, score }: ScoredClaim,
  type: HallucinationType = errorTypeOf(features),
): void {
  if (score < MIN_SCORE) return;
  context.report({ type, score, field: 'response', start, end, reason: reasonFor(type) });
}

/**
 * Asks the judge about the uncertain claims, once `scan` is through, and reports what it says of them;
 * where it says nothing, the own score stands.
 */
export async function settleClaims(
  context: StageContext,
  scan: Promise<void> | undefined,
  uncertain: UncertainClaims<ScoredClaim>,
  judge: ClaimJudge,
  { response, sources, prompt }: JudgedTexts,
): Promise<void> {
  await scan;
  const held = uncertain.held();
  if (held.length === 0) return;
  const claims = held.map(({ claim: { start, end } }) => response.text.slice(start, end));
  const passages = passagesFor(
    claims,
    sources.map(({ text }) => text),
  );
  let step = passages.next();
  for (; !step.done; step = passages.next()) await context.checkpoint();
  const texts = step.value;
  const asked = prompt?.text.trimEnd().endsWith('?') ? prompt.text.slice(-MAX_QUESTION) : undefined;
  const questions = held.map(({ claim }, at) =>
    toQuestion(response.text, claim, texts[at] ?? '', asked),
  );
  const judgments = await judge.ask(context, questions);
  let largest = uncertain.settledScore();
  held.forEach((claim, at) => {
    largest = Math.max(largest, settle(context, claim, judgments[at]));
  });
  context.setScore(largest);
}

function settle(context: StageContext, own: ScoredClaim, judgment: Judgment | undefined): number {
  if (judgment === undefined) {
    reportClaim(context, own);
    return own.score;
  }
  const score = toLikelihood(judgment, judgment.verdict !== 'supported');
  const type = judgment.verdict === 'unknown' ? 'unsupported' : errorTypeOf(own.features);
  if (judgment.verdict !== 'supported') reportClaim(context, { ...own, score }, type);
  return score;
}
