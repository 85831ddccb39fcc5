import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { claimsOf } from '../language/claims.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { readBlock } from '../language/read-block.ts';
import { createWordReader, readWords, type WordReader, type Words } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { PreparedField, Stage, StageContext } from '../types.ts';
import { compareClaim } from './claim-features.ts';
import { errorTypeOf, reasonFor } from './error-type.ts';
import { hallucinationModel } from './model.ts';
import { indexSource } from './source-index.ts';

/** From this score on a claim is shown as a finding. */
const MIN_SCORE = 0.5;
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
 * It has no options.
 *
 * @throws PipelineConfigError for an unknown option
 */
export function createHallucinationStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set());
  return Object.freeze({
    name: 'hallucination_detector',
    targets: ['prompt', 'response', 'context'],
    run: scanFields,
  } satisfies Stage);
}

function scanFields(context: StageContext): Promise<void> | undefined {
  const { fields } = context;
  const sources = sourcesOf(fields);
  const response = fields.find(({ field }) => field === 'response');
  const last = fields.at(-1);
  context.setScore(0);
  if (sources.length === 0 || response === undefined) return undefined;
  const lexicon = sharedLexicon();
  const source = createWordReader(lexicon);
  const answer = createWordReader(lexicon);
  return forEachBlock(context, function* visit(block, field) {
    const reader = readerOf(field, response, sources, answer, source);
    if (reader !== undefined) readBlock(reader, block);
    if (field === last && block === field.blocks.at(-1)) {
      yield;
      const question = sources.includes(fields[0] as PreparedField)
        ? undefined
        : questionOf(fields, lexicon);
      yield* judge(context, answer.finish(), source.finish(), question, lexicon);
    }
  });
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
): Generator<void> {
  const model = hallucinationModel();
  const index = yield* indexSource(source);
  let largest = 0;
  for (const claim of claimsOf(answer, question)) {
    const { features } = compareClaim(claim, index, lexicon.vectors);
    const score = model.score(features);
    largest = Math.max(largest, score);
    if (score >= MIN_SCORE) {
      const type = errorTypeOf(features);
      const { start, end } = claim;
      context.report({ type, score, field: 'response', start, end, reason: reasonFor(type) });
    }
    context.setScore(largest);
    yield;
  }
}
