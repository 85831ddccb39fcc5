import type { StageContext, TextRange } from '../types.ts';
import { askAll } from './ask-all.ts';
import type { JudgeLimits } from './backend-options.ts';
import type { Judge, JudgeQuestion, Judgment, StageDependencies } from './types.ts';

/** A claim with the stage's own score for it. */
interface Scored {
  readonly score: number;
  /** False where the score is no opinion, since the stage knows nothing of such a claim. */
  readonly covered?: boolean;
}

/** The uncertain claims of one scan, those with the largest own scores. */
export interface UncertainClaims<Claim extends Scored> {
  /** Takes a claim, and gives back the one that the judge will not be asked about: this or another. */
  offer(claim: Claim): Claim | undefined;
  /** The largest score among the claims given back, 0 without any. */
  settledScore(): number;
  /** In the order of the text. */
  held(): readonly Claim[];
}

/** A judge with its limits in one stage. */
export interface ClaimJudge {
  gather<Claim extends Scored>(): UncertainClaims<Claim>;
  /** The judge's answers, undefined for each that it did not give. */
  ask(
    context: StageContext,
    questions: readonly (JudgeQuestion | undefined)[],
  ): Promise<(Judgment | undefined)[]>;
}

/** The rest of the stage's time is for reporting what came of it. */
const SHARE_OF_TIME = 0.8;
const MAX_CLAIM = 2_000;
const MAX_PRECEDING = 300;

/** What asks the judge within limits; undefined without a judge or where it is to be asked nothing. */
export function createClaimJudge(
  limits: JudgeLimits,
  dependencies: StageDependencies | undefined,
): ClaimJudge | undefined {
  const judge = dependencies?.judge;
  if (dependencies === undefined || judge === undefined || limits.maxClaims === 0) return undefined;
  return {
    gather: () => gather(limits),
    ask: (context, questions) => ask(context, questions, judge, limits.parallel, dependencies),
  };
}

function gather<Claim extends Scored>(limits: JudgeLimits): UncertainClaims<Claim> {
  const claims: Claim[] = [];
  let settledScore = 0;
  const choose = (claim: Claim): Claim | undefined => {
    if (claim.score < limits.from || claim.score > limits.to) return claim;
    claims.push(claim);
    if (claims.length <= limits.maxClaims) return undefined;
    let least = 0;
    claims.forEach(({ score }, at) => {
      if (score < (claims[least] as Claim).score) least = at;
    });
    return claims.splice(least, 1)[0];
  };
  return {
    offer(claim) {
      const settled = choose(claim);
      if (settled?.covered !== false) settledScore = Math.max(settledScore, settled?.score ?? 0);
      return settled;
    },
    settledScore: () => settledScore,
    held: () => claims,
  };
}

async function ask(
  context: StageContext,
  questions: readonly (JudgeQuestion | undefined)[],
  judge: Judge,
  parallel: number,
  { startTimer, onBackendError }: StageDependencies,
): Promise<(Judgment | undefined)[]> {
  const waitMs = context.remainingMs * SHARE_OF_TIME;
  const limits = { parallel, waitMs, signal: context.signal, startTimer, onError: onBackendError };
  const put = async (question: JudgeQuestion | undefined, signal: AbortSignal) =>
    question === undefined ? undefined : await judge.judge(question, signal);
  return askAll(questions, put, limits);
}

/** The question whether `source` bears out text[start, end); undefined for a very long claim. */
export function toQuestion(
  text: string,
  { start, end }: TextRange,
  source: string,
  question?: string,
): JudgeQuestion | undefined {
  if (end - start > MAX_CLAIM) return undefined;
  const preceding = text.slice(Math.max(0, start - MAX_PRECEDING), start).trim();
  return {
    claim: text.slice(start, end),
    source,
    ...(question === undefined ? {} : { question }),
    ...(preceding === '' ? {} : { preceding }),
  };
}

/** A likelihood from a verdict: above a half where it speaks for `yes`, below otherwise. */
export function toLikelihood({ score }: Judgment, yes: boolean): number {
  return yes ? 0.5 + score / 2 : 0.5 - score / 2;
}
