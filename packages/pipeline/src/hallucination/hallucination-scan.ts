import type { ClaimJudge, UncertainClaims } from '../backends/judge-claims.ts';
import { forEachBlock } from '../for-each-block.ts';
import { claimsOf } from '../language/claims.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { questionOf } from '../language/question.ts';
import { readBlock } from '../language/read-block.ts';
import type { WordReader } from '../language/sentences.ts';
import { takeWordReader } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { Words } from '../language/words.ts';
import type { PreparedField, StageContext } from '../types.ts';
import { ClaimComparer } from './claim-features.ts';
import type { ScoredClaim } from './judged-claims.ts';
import { MIN_SCORE, reportClaim, settleClaims } from './judged-claims.ts';
import { hallucinationModel } from './model.ts';
import { takeSourceIndex } from './source-index.ts';

/** A prompt of so many characters holds more than a question: without context it is the source. */
const SOURCE_LENGTH = 400;
/** What a sentence of the source gets that the response repeats word for word. */
const COPY_SCORE = 0.005;
/** Comparers that are not in use. */
const comparers: ClaimComparer[] = [];

/** Holds the statements of the response against their source; asks the judge about uncertain ones. */
export function scanClaims(context: StageContext, asker?: ClaimJudge): Promise<void> | undefined {
  const { fields } = context;
  const sources = sourcesOf(fields);
  const response = fields.find(({ field }) => field === 'response');
  const last = fields.at(-1);
  context.setScore(0);
  if (sources.length === 0 || response === undefined) return undefined;
  const lexicon = sharedLexicon();
  const source = takeWordReader(lexicon);
  const answer = takeWordReader(lexicon);
  const uncertain = asker?.gather<ScoredClaim>();
  const scan = forEachBlock(context, function* visit(block, field) {
    const reader = readerOf(field, response, sources, answer, source);
    if (reader !== undefined) readBlock(reader, block);
    if (field === last && block === field.blocks.at(-1)) {
      yield;
      const asks = !sources.some((own) => own.field === 'prompt');
      const asked = asks ? questionOf(fields, lexicon) : undefined;
      const question = asked?.finish();
      yield* judge(context, answer.finish(), source.finish(), question, lexicon, uncertain);
      for (const reader of [answer, source, asked]) reader?.giveBack();
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

/** System text is orders for the most part: it adds to another source, and is none by itself. */
function sourcesOf(fields: readonly PreparedField[]): PreparedField[] {
  const given = fields.filter(({ field, text }) => field === 'context' && text.trim() !== '');
  const prompts = fields.filter(
    ({ field, text }) => field === 'prompt' && text.length >= SOURCE_LENGTH,
  );
  const sources = given.length > 0 ? given : prompts;
  return sources.length === 0 ? [] : [...sources, ...fields.filter(isSystem)];
}

function isSystem({ field, text }: PreparedField): boolean {
  return field === 'system' && text.trim() !== '';
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
  const index = takeSourceIndex();
  const comparer = comparers.pop() ?? new ClaimComparer(lexicon);
  yield* index.fill(source);
  let largest = 0;
  for (const claim of claimsOf(answer, question)) {
    const copied = comparer.isCopy(claim, index);
    const features = copied ? comparer.features : comparer.compare(claim, index);
    const score = copied ? COPY_SCORE : model.toScore(model.sum(features));
    largest = Math.max(largest, score);
    if (uncertain !== undefined) {
      const settled = uncertain.offer({ claim, features: features.slice(), score });
      if (settled !== undefined) reportClaim(context, settled);
    } else if (score >= MIN_SCORE) reportClaim(context, { claim, features, score });
    context.setScore(largest);
    yield;
  }
  index.giveBack();
  comparers.push(comparer);
}

/** Reads the weights that the first scan with a source would read. */
export function loadClaimModels(): void {
  sharedLexicon();
  hallucinationModel();
}
