import type { ClaimJudge, UncertainClaims } from '../backends/judge-claims.ts';
import { toLikelihood, toQuestion } from '../backends/judge-claims.ts';
import { passagesFor } from '../backends/passages.ts';
import type { Judgment } from '../backends/types.ts';
import { EXPLANATIONS } from '../explanations.ts';
import type { Claim } from '../language/claims.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { HallucinationType } from './error-type.ts';
import { errorTypeOf } from './error-type.ts';

/** A claim with its features and how likely it is unfounded. */
export interface ScoredClaim {
  readonly claim: Claim;
  readonly features: Float32Array;
  readonly score: number;
  /** False where it or its source is in a language of which the features say nothing. */
  readonly covered: boolean;
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
  context.report({ type, score, field: 'response', start, end, reason: EXPLANATIONS[type] });
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
  let known = held.length === 0 || largest > 0;
  held.forEach((claim, at) => {
    const score = settle(context, claim, judgments[at]);
    if (score === undefined) return;
    known = true;
    largest = Math.max(largest, score);
  });
  if (known) context.setScore(largest);
}

/** The score of a claim; undefined where neither the judge nor the stage itself has one. */
function settle(
  context: StageContext,
  own: ScoredClaim,
  judgment: Judgment | undefined,
): number | undefined {
  if (judgment === undefined) {
    if (!own.covered) return undefined;
    reportClaim(context, own);
    return own.score;
  }
  const score = toLikelihood(judgment, judgment.verdict !== 'supported');
  const isKnown = judgment.verdict !== 'unknown' && own.covered;
  const type = isKnown ? errorTypeOf(own.features) : 'unsupported';
  if (judgment.verdict !== 'supported') reportClaim(context, { ...own, score }, type);
  return score;
}
