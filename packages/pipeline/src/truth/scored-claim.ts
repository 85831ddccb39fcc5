import { EXPLANATIONS } from '../explanations.ts';
import type { WordSpan } from '../language/words.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { CheckedClaim } from './check-claim.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';

/**
 * What the truth stages report of a claim: the knowledge base entails it, contradicts it, or has an entry
 * about it from which neither follows. A claim that nothing is known about is not reported.
 */
export type TruthType = 'supported' | 'contradicted' | 'unclear';

/** A claim of a field with what came of checking it; `score`: that it contradicts the knowledge base. */
export interface ScoredClaim {
  readonly field: PreparedField;
  readonly span: WordSpan;
  readonly start: number;
  readonly end: number;
  readonly checked: CheckedClaim;
  readonly score: number;
  /** What a judge says of it. */
  readonly type?: TruthType;
}

/** The knowledge base, and from which similarity on a claim is about one of its entries. */
export interface Knowledge {
  readonly index: KnowledgeIndex;
  readonly threshold: number;
  /** Whether it is of this scan alone, so that numbers say nothing and ids name the statements. */
  readonly isOfScan?: boolean | undefined;
}

/** From this likelihood on a claim counts as contradicted. */
const CONTRADICTED_FROM = 0.7;
/** Up to the one similarity a claim has nothing to do with its nugget, from the other on it may contradict it. */
const UNRELATED = 0.2;
const OPPOSABLE = 0.5;
/** From here on a claim is about its nugget for sure. */
const RELATED = 0.9;

/** Likelihood that a claim contradicts the knowledge base: it must be about a nugget, and against it. */
export function contradictionScore({ similarity, contradiction }: CheckedClaim): number {
  return Math.min(1, Math.max(0, similarity - UNRELATED) / (OPPOSABLE - UNRELATED)) * contradiction;
}

/** Whether a claim is about its nugget for sure. */
export function isRelated({ similarity }: CheckedClaim): boolean {
  return similarity >= RELATED;
}

/** What a nugget says of a claim that is about it. */
export function typeOf({ contradiction, supportedBelow }: CheckedClaim): TruthType {
  if (contradiction >= CONTRADICTED_FROM) return 'contradicted';
  return contradiction < supportedBelow ? 'supported' : 'unclear';
}

/** Reports a claim if it is about an entry of the knowledge base. */
export function reportClaim(
  context: StageContext,
  { field: { field }, start, end, checked, type = typeOf(checked) }: ScoredClaim,
  { index, threshold, isOfScan }: Knowledge,
): void {
  const { nugget, similarity } = checked;
  if (similarity < threshold) return;
  const id = index.nuggets[nugget]?.id;
  const number = isOfScan ? {} : { nugget };
  const named = id === undefined ? number : { ...number, nuggetId: id };
  const reason = EXPLANATIONS[type];
  context.report({ type, score: similarity, field, start, end, reason, ...named });
}
