import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { forEachBlock } from '../for-each-block.ts';
import { claimsOf } from '../language/claims.ts';
import { readBlock } from '../language/read-block.ts';
import { createWordReader, type Words } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import { checkFraction } from '../stage-options.ts';
import type { Field, PreparedField, Stage, StageContext, StageName } from '../types.ts';
import { type CheckedClaim, checkClaim } from './check-claim.ts';
import { createKnowledgeIndex, type KnowledgeIndex, type Nugget } from './knowledge-index.ts';
import { truthModel } from './model.ts';

/** What the truth stages report of a claim; a claim that nothing is known about is not reported. */
export type TruthType = 'supported' | 'contradicted';

const SIMILARITY_THRESHOLD = 0.7;
/** From this likelihood on a claim counts as contradicted rather than supported. */
const CONTRADICTED_FROM = 0.7;
/** Up to the one similarity a claim has nothing to do with its nugget, from the other on it surely has. */
const UNRELATED = 0.4;
const RELATED = 0.9;
const REASONS: Readonly<Record<TruthType, string>> = {
  supported: 'agrees with an entry of the knowledge base',
  contradicted: 'contradicts an entry of the knowledge base',
};

/** Makes the stage `truth_scan`: the claims of the prompt (see {@link createOutputTruthStage}). */
export function createTruthStage(options: Readonly<Record<string, unknown>>, path: string): Stage {
  return createStage('truth_scan', 'prompt', options, path);
}

/**
 * Makes the stage `output_truth_scanner`: each claim of the response against the knowledge base. The
 * findings name the nugget that is about the same; their score is the similarity. The stage's score
 * is the largest likelihood that a claim contradicts the knowledge base.
 *
 * Options: `knowledge`, a list of statements, each a string or `{id, claim}`, up to a million words or
 * so; `similarityThreshold`, from where a claim and a nugget count as about the same (0.7).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createOutputTruthStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  return createStage('output_truth_scanner', 'response', options, path);
}

function createStage(
  name: StageName,
  target: Field,
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set(['knowledge', 'similarityThreshold']));
  const nuggets = checkNuggets(`${path}.knowledge`, options.knowledge ?? []);
  const given = options.similarityThreshold ?? SIMILARITY_THRESHOLD;
  const threshold = checkFraction(`${path}.similarityThreshold`, given);
  const knowledge =
    nuggets.length === 0 ? undefined : createKnowledgeIndex(nuggets, sharedLexicon());
  return Object.freeze({
    name,
    targets: [target],
    run(context: StageContext) {
      context.setScore(0);
      return knowledge === undefined ? undefined : scanFields(context, knowledge, threshold);
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
  knowledge: KnowledgeIndex,
  threshold: number,
): Promise<void> | undefined {
  let reader = createWordReader(sharedLexicon());
  let largest = 0;
  return forEachBlock(context, function* visit(block, field) {
    readBlock(reader, block);
    if (block !== field.blocks.at(-1)) return;
    const words = reader.finish();
    reader = createWordReader(sharedLexicon());
    for (const score of checkWords(context, field, words, knowledge, threshold)) {
      largest = Math.max(largest, score);
      context.setScore(largest);
      yield;
    }
  });
}

/** Checks claim by claim; gives the likelihood of each that it contradicts the knowledge base. */
function* checkWords(
  context: StageContext,
  { field }: PreparedField,
  words: Words,
  knowledge: KnowledgeIndex,
  threshold: number,
): Generator<number> {
  const lexicon = sharedLexicon();
  const model = truthModel();
  for (const { stretch, start, end } of claimsOf(words)) {
    const checked = checkClaim(stretch, knowledge, lexicon, model);
    if (checked === undefined) continue;
    const { nugget, similarity, contradiction } = checked;
    if (similarity >= threshold) {
      const type: TruthType = contradiction >= CONTRADICTED_FROM ? 'contradicted' : 'supported';
      const id = knowledge.nuggets[nugget]?.id;
      const named = id === undefined ? { nugget } : { nugget, nuggetId: id };
      context.report({
        type,
        score: similarity,
        field,
        start,
        end,
        reason: REASONS[type],
        ...named,
      });
    }
    yield contradictionScore(checked);
  }
}

/** Likelihood that a claim contradicts the knowledge base: it must be about a nugget, and against it. */
function contradictionScore({ similarity, contradiction }: CheckedClaim): number {
  return Math.min(1, Math.max(0, similarity - UNRELATED) / (RELATED - UNRELATED)) * contradiction;
}
