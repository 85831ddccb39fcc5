import type { JudgeOptions } from '../backends/judge-claims.ts';
import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { forEachBlock } from '../for-each-block.ts';
import type { Claim } from '../language/claims.ts';
import { claimsOf } from '../language/claims.ts';
import { isCovered } from '../language/covered.ts';
import { questionOf } from '../language/question.ts';
import { readBlock } from '../language/read-block.ts';
import type { WordReader } from '../language/sentences.ts';
import { readWords, takeWordReader } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { CreateStageRun, StageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFraction } from '../stage-options.ts';
import { stageValue } from '../stage-value.ts';
import type { TextBlock } from '../text/prepared-text.ts';
import type { Field, PreparedField, StageContext } from '../types.ts';
import { checkClaim, FRAGMENT } from './check-claim.ts';
import type { EmbeddingOptions } from './embedded-claims.ts';
import { createClaimEmbedder } from './embedded-claims.ts';
import type { OpenClaims, TruthBackends } from './judged-claims.ts';
import { createOpenClaims } from './judged-claims.ts';
import type { Nugget } from './knowledge-index.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import { contradictionModel } from './model.ts';
import type { Knowledge, TruthType } from './scored-claim.ts';
import { contradictionScore, reportClaim } from './scored-claim.ts';

const SIMILARITY_THRESHOLD = 0.7;
/** So many statements tell the language of a knowledge base. */
const LOOKED_AT = 100;
const KEYS: ReadonlySet<string> = new Set([
  'knowledge',
  'similarityThreshold',
  'judge',
  'embeddings',
]);

const TYPES: Readonly<Record<TruthType, true>> = {
  supported: true,
  contradicted: true,
  unclear: true,
};

/** Options of the stages `output_truth_scanner` and `truth_scan`. */
export interface TruthOptions {
  /** Statements taken for true, up to a million words or so; the index over them is made once. */
  readonly knowledge?: readonly (string | Nugget)[] | undefined;
  /** From where a claim and a statement count as about the same, 0 to 1. Default 0.7. */
  readonly similarityThreshold?: number | undefined;
  /** Which claims a judge is asked about, where the pipeline has one. */
  readonly judge?: JudgeOptions | undefined;
  /** Which statements an embedder finds, where the pipeline has one. */
  readonly embeddings?: EmbeddingOptions | undefined;
}

const SHARED = {
  score: 'truth',
  types: Object.keys(TYPES),
  isDefault: false,
  scoring: 'text',
  // The findings say what their similarity is, supported claims among them.
  isScoreJudged: false,
  code: 'POLICY_BLOCKED',
  rules: [{ types: ['contradicted'], action: 'flag' }],
  severities: { otherwise: 'medium' },
  compares: true,
  lists: ['knowledge'],
  commandLine: {
    requires: 'knowledge',
    uncut: { similarityThreshold: 0 },
    reportedFrom: SIMILARITY_THRESHOLD,
  },
} as const satisfies Partial<StageDefinition>;

/** The stage `truth_scan`: the claims of the prompt. */
export const promptTruthStage: StageDefinition<'truth_scan', 'truth'> = frozen({
  ...SHARED,
  name: 'truth_scan',
  reads: ['prompt'],
  readsSystem: true,
  create: createRun('prompt'),
});

/** The stage `output_truth_scanner`: the claims of the response. */
export const outputTruthStage: StageDefinition<'output_truth_scanner', 'truth'> = frozen({
  ...SHARED,
  name: 'output_truth_scanner',
  // The prompt for its question alone.
  reads: ['prompt', 'response'],
  readsSystem: false,
  create: createRun('response'),
});

/**
 * Each claim of the response against the knowledge base. The findings name the statement that is about
 * the same; their score is the similarity. Their type is `contradicted`; `supported` where a contradiction
 * is unlikely and claim and statement cover each other; else `unclear`. The score `truth` is the largest
 * likelihood that a claim contradicts the knowledge base; without a back end it is null, and the status
 * `not_covered`, where claims or knowledge are in a language that the stage does not know.
 */
export function truth(options: TruthOptions & StageSettings = {}): StageValue {
  return stageValue(outputTruthStage, options);
}

/** Each claim of the prompt against the knowledge base; see {@link truth}. */
export function promptTruth(options: TruthOptions & StageSettings = {}): StageValue {
  return stageValue(promptTruthStage, options);
}

function createRun(target: Field): CreateStageRun {
  return (options, path, dependencies) => {
    const given = checkRecord(path, options, KEYS);
    const { knowledge = [], similarityThreshold = SIMILARITY_THRESHOLD } = given;
    const nuggets = checkNuggets(`${path}.knowledge`, knowledge);
    const threshold = checkFraction(`${path}.similarityThreshold`, similarityThreshold);
    const judge = createClaimJudge(options.judge, `${path}.judge`, dependencies);
    const embedder = createClaimEmbedder(options.embeddings, `${path}.embeddings`, dependencies);
    const backends =
      judge === undefined && embedder === undefined ? undefined : { judge, embedder };
    const index = nuggets.length === 0 ? undefined : createKnowledgeIndex(nuggets, sharedLexicon());
    const isKnown = backends !== undefined || nuggets.length === 0 || areCovered(nuggets);
    const run: StageRun = (context) => {
      context.setScore(isKnown ? 0 : null);
      return index === undefined || !isKnown
        ? undefined
        : scanFields(context, target, { index, threshold }, backends);
    };
    const load = () => {
      if (index !== undefined) contradictionModel();
    };
    return Object.assign(run, { load });
  };
}

/** Whether the knowledge base, by its first statements, is in a language that the stage knows. */
function areCovered(nuggets: readonly Nugget[]): boolean {
  const text = nuggets.slice(0, LOOKED_AT).map(({ claim }) => claim);
  return isCovered(readWords(sharedLexicon(), text.join('\n')));
}

function checkNuggets(path: string, value: unknown): readonly Nugget[] {
  if (!Array.isArray(value)) throw new PipelineConfigError(path, 'expected a list of statements');
  return value.map((item: unknown, index) => {
    if (typeof item === 'string') return { claim: item };
    const place = `${path}[${index}]`;
    const { id, claim } = checkRecord(place, item, new Set(['id', 'claim']));
    if (typeof id === 'string' && typeof claim === 'string') return { id, claim };
    throw new PipelineConfigError(place, 'expected a string, or an object with id and claim');
  });
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
