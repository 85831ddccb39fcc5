import type { ClaimJudge, UncertainClaims } from '../backends/judge-claims.ts';
import { toLikelihood, toQuestion } from '../backends/judge-claims.ts';
import type { Judgment } from '../backends/types.ts';
import type { StageContext } from '../types.ts';
import type { ClaimEmbedder } from './embedded-claims.ts';
import type { Knowledge, ScoredClaim } from './scored-claim.ts';
import { reportClaim } from './scored-claim.ts';

/** The back ends of a truth stage; at least one of them. */
export interface TruthBackends {
  readonly judge: ClaimJudge | undefined;
  readonly embedder: ClaimEmbedder | undefined;
}

/** The claims of one scan that the back ends are yet to be asked about. */
export interface OpenClaims {
  /** Takes a claim, and gives back the one that is settled by its own score: this or another. */
  offer(claim: ScoredClaim): ScoredClaim | undefined;
  isEmpty(): boolean;
  /**
   * Asks the back ends, once `scan` is through, and reports what they say; where they say nothing, the
   * own score stands.
   */
  settle(context: StageContext, scan: Promise<void> | undefined): Promise<void>;
}

/** Collects the claims of a scan that are not settled by their own scores. */
export function createOpenClaims(
  { judge, embedder }: TruthBackends,
  knowledge: Knowledge,
): OpenClaims {
  const uncertain = judge?.gather<ScoredClaim>();
  const unplaced: ScoredClaim[] = [];
  let settledScore = 0;
  const offerToJudge = (claim: ScoredClaim): ScoredClaim | undefined => {
    const settled = uncertain === undefined ? claim : uncertain.offer(claim);
    settledScore = Math.max(settledScore, settled?.score ?? 0);
    return settled;
  };
  return {
    offer(claim) {
      const isOpen = embedder?.isOpen(claim) && unplaced.length < embedder.maxClaims;
      if (!isOpen) return offerToJudge(claim);
      unplaced.push(claim);
      return undefined;
    },
    isEmpty: () => unplaced.length === 0 && (uncertain?.held().length ?? 0) === 0,
    async settle(context, scan) {
      await scan;
      const placed = (await embedder?.rerank(context, unplaced, knowledge)) ?? [];
      for (const claim of placed) {
        const settled = offerToJudge(claim);
        if (settled !== undefined) reportClaim(context, settled, knowledge);
      }
      const largest = await askJudge(context, knowledge, uncertain, judge);
      context.setScore(Math.max(settledScore, largest));
    },
  };
}

/** Reports the uncertain claims as the judge sees them; gives their largest score. */
async function askJudge(
  context: StageContext,
  knowledge: Knowledge,
  uncertain: UncertainClaims<ScoredClaim> | undefined,
  judge: ClaimJudge | undefined,
): Promise<number> {
  const held = uncertain?.held() ?? [];
  const questions = held.map(({ field, start, end, checked: { nugget } }) =>
    toQuestion(field.text, { start, end }, knowledge.index.nuggets[nugget]?.claim ?? ''),
  );
  const judgments = held.length === 0 ? [] : await judge?.ask(context, questions);
  let largest = 0;
  held.forEach((own, at) => {
    const claim = judged(own, judgments?.[at]);
    if (judgments?.[at]?.verdict !== 'unknown') reportClaim(context, claim, knowledge);
    largest = Math.max(largest, claim.score);
  });
  return largest;
}

/** What a judge holds against its entry is about it, so the similarity is at least what it is sure of. */
function judged(own: ScoredClaim, judgment: Judgment | undefined): ScoredClaim {
  if (judgment === undefined) return own;
  const score = toLikelihood(judgment, judgment.verdict === 'contradicted');
  const sure = toLikelihood(judgment, judgment.verdict !== 'unknown');
  const similarity = Math.max(own.checked.similarity, sure);
  const type = judgment.verdict === 'contradicted' ? 'contradicted' : 'supported';
  return { ...own, score, type, checked: { ...own.checked, similarity, contradiction: score } };
}
