import type { EmbeddingLimits, JudgeLimits } from '../backends/backend-options.ts';
import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { forEachBlock } from '../for-each-block.ts';
import type { Claim } from '../language/claims.ts';
import { claimsOf } from '../language/claims.ts';
import { isCovered } from '../language/covered.ts';
import { questionOf } from '../language/question.ts';
import { readBlock } from '../language/read-block.ts';
import type { WordReader } from '../language/sentences.ts';
import { readWords, takeWordReader } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { TextBlock } from '../text/prepared-text.ts';
import type { Field, PreparedField, StageContext } from '../types.ts';
import { checkClaim, FRAGMENT } from './check-claim.ts';
import { createClaimEmbedder } from './embedded-claims.ts';
import { withGivenKnowledge } from './given-knowledge.ts';
import type { OpenClaims, TruthBackends } from './judged-claims.ts';
import { createOpenClaims } from './judged-claims.ts';
import type { Nugget } from './knowledge-index.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import { contradictionModel } from './model.ts';
import type { Knowledge } from './scored-claim.ts';
import { contradictionScore, reportClaim } from './scored-claim.ts';

/** So many statements tell the language of a knowledge base. */
const LOOKED_AT = 100;

/** The checked options of a truth stage. */
export interface TruthSettings {
  /** The field whose claims are checked. */
  readonly target: Field;
  readonly nuggets: readonly Nugget[];
  /** From where a claim and a statement count as about the same, 0 to 1. */
  readonly threshold: number;
  readonly judge: JudgeLimits;
  readonly embeddings: EmbeddingLimits;
}

/** Reads the weights, makes the index over the knowledge base, and gives what scans with them. */
export function createTruthScan(
  { target, nuggets, threshold, ...limits }: TruthSettings,
  dependencies: StageDependencies | undefined,
): (context: StageContext) => Promise<void> | undefined {
  const judge = createClaimJudge(limits.judge, dependencies);
  const embedder = createClaimEmbedder(limits.embeddings, dependencies);
  const backends = judge === undefined && embedder === undefined ? undefined : { judge, embedder };
  /** What holds claims against statements; undefined for none. */
  const toScan = (statements: readonly Nugget[], isOfScan: boolean) => {
    if (statements.length === 0) return undefined;
    // Back ends may know languages that the words of the stage do not cover.
    if (backends === undefined && !areCovered(statements)) return setNotCovered;
    const index = createKnowledgeIndex(statements, sharedLexicon());
    const knowledge: Knowledge = { index, threshold, isOfScan };
    return (context: StageContext) => {
      context.setScore(0);
      return scanFields(context, target, knowledge, backends);
    };
  };
  const own = toScan(nuggets, false);
  contradictionModel();
  return (context) => {
    const { material } = context;
    if (material?.knowledge === undefined) return (own ?? setNothing)(context);
    return withGivenKnowledge(context, target, own, (statements) => toScan(statements, true));
  };
}

function setNotCovered(context: StageContext): undefined {
  context.setScore(null);
}

function setNothing(context: StageContext): undefined {
  context.setScore(0);
}

/** Whether the knowledge base, by its first statements, is in a language that the stage knows. */
function areCovered(nuggets: readonly Nugget[]): boolean {
  const text = nuggets.slice(0, LOOKED_AT).map(({ claim }) => claim);
  return isCovered(readWords(sharedLexicon(), text.join('\n')));
}

function scanFields(
  context: StageContext,
  target: Field,
  knowledge: Knowledge,
  backends: TruthBackends | undefined,
): Promise<void> | undefined {
  const open = backends && createOpenClaims(backends, knowledge);
  const question = target === 'response' ? questionOf(context.fields, sharedLexicon()) : undefined;
  const read: TruthScan = {
    context,
    target,
    knowledge,
    open,
    question,
    reader: undefined,
    largest: 0,
  };
  const scan = forEachBlock(context, (block, field) => scanBlock(read, block, field));
  if (open === undefined || (scan === undefined && open.isEmpty())) return scan;
  return open.settle(context, scan);
}

/** What the blocks of one scan share. */
interface TruthScan {
  readonly context: StageContext;
  readonly target: Field;
  readonly knowledge: Knowledge;
  readonly open: OpenClaims | undefined;
  readonly question: WordReader | undefined;
  /** Of the field at hand. */
  reader: WordReader | undefined;
  largest: number;
}

function* scanBlock(scan: TruthScan, block: TextBlock, field: PreparedField): Generator<void> {
  const { context, target, knowledge, open, question } = scan;
  // The prompt is read for its question alone where the response is checked.
  if (target === 'response' && field.field !== 'response') return;
  scan.reader ??= takeWordReader(sharedLexicon());
  readBlock(scan.reader, block);
  if (block !== field.blocks.at(-1)) return;
  const used = scan.reader;
  scan.reader = undefined;
  const words = used.finish();
  const all = claimsOf(words, question?.finish(), FRAGMENT);
  // Back ends may know languages that the words of the stage do not cover.
  const isTextCovered = isCovered(words);
  const claims = all.filter(
    ({ span: { words, from, to } }) =>
      open !== undefined || isCovered(words, from, to, isTextCovered),
  );
  if (claims.length === 0 && all.length > 0) context.setScore(null);
  for (const score of checkClaims(context, field, claims, knowledge, open)) {
    scan.largest = Math.max(scan.largest, score);
    context.setScore(scan.largest);
    yield;
  }
  // Claims that wait for a back end still need the words.
  if (open !== undefined) return;
  used.giveBack();
  question?.giveBack();
}

/** Checks claim by claim; gives the likelihood of each that it contradicts the knowledge base. */
function* checkClaims(
  context: StageContext,
  field: PreparedField,
  claims: readonly Claim[],
  knowledge: Knowledge,
  open: OpenClaims | undefined,
): Generator<number> {
  const lexicon = sharedLexicon();
  const against = contradictionModel();
  for (const { span, start, end } of claims) {
    const checked = checkClaim(span, knowledge.index, lexicon, against);
    if (checked === undefined) continue;
    const score = contradictionScore(checked);
    const claim = { field, span, start, end, checked, score };
    const settled = open === undefined ? claim : open.offer(claim);
    if (settled !== undefined) reportClaim(context, settled, knowledge);
    yield score;
  }
}
