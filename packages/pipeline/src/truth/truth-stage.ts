import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { forEachBlock } from '../for-each-block.ts';
import type { Claim } from '../language/claims.ts';
import { claimsOf } from '../language/claims.ts';
import { questionOf } from '../language/question.ts';
import { readBlock } from '../language/read-block.ts';
import type { WordReader } from '../language/sentences.ts';
import { takeWordReader } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import { checkFraction } from '../stage-options.ts';
import type { Field, PreparedField, Stage, StageContext, StageName } from '../types.ts';
import { checkClaim, FRAGMENT } from './check-claim.ts';
import { createClaimEmbedder } from './embedded-claims.ts';
import type { OpenClaims, TruthBackends } from './judged-claims.ts';
import { createOpenClaims } from './judged-claims.ts';
import type { Nugget } from './knowledge-index.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import { contradictionModel } from './model.ts';
import type { Knowledge } from './scored-claim.ts';
import { contradictionScore, reportClaim } from './scored-claim.ts';

const SIMILARITY_THRESHOLD = 0.7;
const KEYS: ReadonlySet<string> = new Set([
  'knowledge',
  'similarityThreshold',
  'judge',
  'embeddings',
]);

/** Makes the stage `truth_scan`: the claims of the prompt (see {@link createOutputTruthStage}). */
export function createTruthStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
): Stage {
  return createStage('truth_scan', 'prompt', options, path, dependencies);
}

/**
 * Makes the stage `output_truth_scanner`: each claim of the response against the knowledge base. The
 * findings name the nugget that is about the same; their score is the similarity. The stage's score
 * is the largest likelihood that a claim contradicts the knowledge base.
 *
 * Options: `knowledge`, a list of statements, each a string or `{id, claim}`, up to a million words or
 * so; `similarityThreshold`, from where a claim and a nugget count as about the same (0.7). Where the
 * pipeline has a judge: `judge`, with `from` and `to` (claims with an own score between 0.2 and 0.95),
 * `maxClaims` (8 a scan), `parallel` (4). Where it has an embedder: `embeddings`, with `sameFrom` (the
 * cosine that counts as about the same, 0.75) and `maxClaims` (32 a scan).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOutputTruthStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
): Stage {
  return createStage('output_truth_scanner', 'response', options, path, dependencies);
}

function createStage(
  name: StageName,
  target: Field,
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies: StageDependencies | undefined,
): Stage {
  checkRecord(path, options, KEYS);
  const nuggets = checkNuggets(`${path}.knowledge`, options.knowledge ?? []);
  const given = options.similarityThreshold ?? SIMILARITY_THRESHOLD;
  const threshold = checkFraction(`${path}.similarityThreshold`, given);
  const judge = createClaimJudge(options.judge, `${path}.judge`, dependencies);
  const embedder = createClaimEmbedder(options.embeddings, `${path}.embeddings`, dependencies);
  const backends = judge === undefined && embedder === undefined ? undefined : { judge, embedder };
  const index = nuggets.length === 0 ? undefined : createKnowledgeIndex(nuggets, sharedLexicon());
  return Object.freeze({
    name,
    targets: target === 'response' ? ['prompt', 'response'] : [target],
    load() {
      if (index !== undefined) contradictionModel();
    },
    run(context: StageContext) {
      context.setScore(0);
      return index === undefined
        ? undefined
        : scanFields(context, target, { index, threshold }, backends);
    },
  } satisfies Stage);
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
  let reader: WordReader | undefined;
  let largest = 0;
  const question = target === 'response' ? questionOf(context.fields, sharedLexicon()) : undefined;
  const scan = forEachBlock(context, function* visit(block, field) {
    // The prompt is read for its question alone where the response is checked.
    if (target === 'response' && field.field !== 'response') return;
    reader ??= takeWordReader(sharedLexicon());
    readBlock(reader, block);
    if (block !== field.blocks.at(-1)) return;
    const used = reader;
    reader = undefined;
    const claims = claimsOf(used.finish(), question?.finish(), FRAGMENT);
    for (const score of checkClaims(context, field, claims, knowledge, open)) {
      largest = Math.max(largest, score);
      context.setScore(largest);
      yield;
    }
    // Claims that wait for a back end still need the words.
    if (open !== undefined) return;
    used.giveBack();
    question?.giveBack();
  });
  if (open === undefined || (scan === undefined && open.isEmpty())) return scan;
  return open.settle(context, scan);
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
  for (const { stretch, start, end } of claims) {
    const checked = checkClaim(stretch, knowledge.index, lexicon, against);
    if (checked === undefined) continue;
    const score = contradictionScore(checked);
    const claim = { field, stretch, start, end, checked, score };
    const settled = open === undefined ? claim : open.offer(claim);
    if (settled !== undefined) reportClaim(context, settled, knowledge);
    yield score;
  }
}
