import {
  type ClaimJudge,
  createClaimJudge,
  type UncertainClaims,
} from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { claimsOf } from '../language/claims.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { readBlock } from '../language/read-block.ts';
import { createWordReader, readWords, type WordReader, type Words } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { PreparedField, Stage, StageContext } from '../types.ts';
import { compareClaim } from './claim-features.ts';
import { reportClaim, type ScoredClaim, settleClaims } from './judged-claims.ts';
import { hallucinationModel } from './model.ts';
import { indexSource } from './source-index.ts';

/** A prompt of so many characters holds more than a question: without context it is the source. */
const SOURCE_LENGTH = 400;
/** Longer prompts are read only for the question at their end. */
const QUESTION_LENGTH = 2_000;

/**
 * Makes the stage `hallucination_detector`: each statement of the response against the context, or
 * against the prompt where there is no context and the prompt is long enough to hold the source. With
 * neither there is nothing to hold the response against, and no score. The score is that of the worst
 * statement.
 *
 * Options: `judge`, which claims a judge is asked about, where the pipeline has one: `from` and `to`
 * (claims with an own score between 0.2 and 0.95), `maxClaims` (8 a scan), `parallel` (4).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createHallucinationStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
): Stage {
  checkRecord(path, options, new Set(['judge']));
  const asker = createClaimJudge(options.judge, `${path}.judge`, dependencies);
  return Object.freeze({
    name: 'hallucination_detector',
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) => scanFields(context, asker),
  } satisfies Stage);
}

function scanFields(context: StageContext, asker?: ClaimJudge): Promise<void> | undefined {
  const { fields } = context;
  const sources = sourcesOf(fields);
  const response = fields.find(({ field }) => field === 'response');
  const last = fields.at(-1);
  context.setScore(0);
  if (sources.length === 0 || response === undefined) return undefined;
  const lexicon = sharedLexicon();
  const source = createWordReader(lexicon);
  const answer = createWordReader(lexicon);
  const uncertain = asker?.gather<ScoredClaim>();
  const scan = forEachBlock(context, function* visit(block, field) {
    const reader = readerOf(field, response, sources, answer, source);
    if (reader !== undefined) readBlock(reader, block);
    if (field === last && block === field.blocks.at(-1)) {
      yield;
      const question = sources.includes(fields[0] as PreparedField)
        ? undefined
        : questionOf(fields, lexicon);
      yield* judge(context, answer.finish(), source.finish(), question, lexicon, uncertain);
    }
  });
  if (asker === undefined || uncertain === undefined) return scan;
  if (scan === undefined && uncertain.held().length === 0) return undefined;
  const prompt = fields.find((field) => field.field === 'prompt' && !sources.includes(field));
  return settleClaims(context, scan, uncertain, asker, { response, sources, prompt });
}

function readerOf(
  field: PreparedField,
  response: PreparedField,
  sources: readonly PreparedField[],
  answer: WordReader,
  source: WordReader,
): WordReader | undefined {
  if (field === response) return answer;
  return sources.includes(field) ? source : undefined;
}

function sourcesOf(fields: readonly PreparedField[]): PreparedField[] {
  const given = fields.filter(({ field, text }) => field === 'context' && text.trim() !== '');
  if (given.length > 0) return given;
  return fields.filter(({ field, text }) => field === 'prompt' && text.length >= SOURCE_LENGTH);
}

/** The words of the prompt where it asks something. */
function questionOf(fields: readonly PreparedField[], lexicon: Lexicon): Words | undefined {
  const prompt = fields.find(({ field }) => field === 'prompt');
  if (prompt === undefined) return undefined;
  const text = prompt.text.slice(-QUESTION_LENGTH).trimEnd();
  return text.endsWith('?') ? lastSentence(text, lexicon) : undefined;
}

function lastSentence(text: string, lexicon: Lexicon): Words {
  const from = Math.max(text.lastIndexOf('. '), text.lastIndexOf('\n'), text.lastIndexOf('! ')) + 1;
  return readWords(lexicon, text.slice(from));
}

function* judge(
  context: StageContext,
  answer: Words,
  source: Words,
  question: Words | undefined,
  lexicon: Lexicon,
  uncertain?: UncertainClaims<ScoredClaim>,
): Generator<void> {
  const model = hallucinationModel();
  const index = yield* indexSource(source);
  let largest = 0;
  for (const claim of claimsOf(answer, question)) {
    const { features } = compareClaim(claim, index, lexicon.vectors);
    const score = model.score(features);
    largest = Math.max(largest, score);
    const scored = { claim, features, score };
    const settled = uncertain === undefined ? scored : uncertain.offer(scored);
    if (settled !== undefined) reportClaim(context, settled);
    context.setScore(largest);
    yield;
  }
}
