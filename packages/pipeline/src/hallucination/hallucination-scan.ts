import type { JudgeLimits } from '../backends/backend-options.ts';
import type { UncertainClaims } from '../backends/judge-claims.ts';
import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { forEachBlock } from '../for-each-block.ts';
import { claimsOf } from '../language/claims.ts';
import { isCovered } from '../language/covered.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { questionOf } from '../language/question.ts';
import { readBlock } from '../language/read-block.ts';
import type { WordReader } from '../language/sentences.ts';
import { takeWordReader } from '../language/sentences.ts';
import { lexiconOf, sharedLexicon } from '../language/shared-lexicon.ts';
import { languageOf } from '../language/text-language.ts';
import type { Words } from '../language/words.ts';
import type { TextBlock } from '../text/prepared-text.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { ClaimSources } from './claim-scorer.ts';
import { ClaimScorer } from './claim-scorer.ts';
import type { ScoredClaim } from './judged-claims.ts';
import { MIN_SCORE, reportClaim, settleClaims } from './judged-claims.ts';
import { hallucinationModel } from './model.ts';
import { nonClaimAt } from './non-claims.ts';
import type { RecordReaders } from './records/record-source.ts';
import { readRecordSource, recordReadersOf } from './records/record-source.ts';
import { CLAIM_FEATURES } from './source-features.ts';

/** A prompt of so many characters holds more than a question: it may be the source, where that is asked for. */
const SOURCE_LENGTH = 400;
/** So much of the end of a prompt may have numbers that an answer computes with. */
const ASKED_LENGTH = 2_000;
/** So much of each field tells the language. */
const LANGUAGE_LENGTH = 500;
/** Of a claim in a language that is not covered nothing is known. */
const UNKNOWN = 0.5;
const NO_FEATURES = new Float32Array(CLAIM_FEATURES.length);

/** What an offer or a question to the reader begins with: the sentence behind it does not answer it. */
const READER_QUESTION =
  /^[^a-z]{0,8}(?:would you|do you (?:want|need|have)|did (?:this|that|i)|does (?:this|that) (?:help|answer|make)|shall (?:i|we)|should (?:i|we)|may i|can i|could you|can you|is there (?:anything|something)|anything (?:else|more)|what (?:would|do|can) (?:you|i)|which .{1,40} (?:would|do|are) you|how (?:can|may) i|are you)\b/;

/** The checked options of the stage. */
interface ClaimScanSettings {
  /** Whether a long prompt is the source where there is no context. */
  readonly promptAsSource: boolean;
  readonly judge: JudgeLimits;
}

/** Holds the statements of the response against their source; asks the judge about uncertain ones. */
export function scanClaims(
  context: StageContext,
  { promptAsSource, judge: limits }: ClaimScanSettings,
  dependencies: StageDependencies | undefined,
): Promise<void> | undefined {
  const { fields } = context;
  const sources = sourcesOf(fields, promptAsSource);
  const response = fields.find(({ field }) => field === 'response');
  context.setScore(0);
  if (sources.length === 0 || response === undefined) return undefined;
  const records = recordReadersOf(sources);
  const prose = sources.filter((field) => !records.has(field));
  const lexicon = lexiconOf(
    languageOfAll(prose) ?? languageOf(response.text) ?? languageOfAll([...fields].reverse()),
  );
  const source = takeWordReader(lexicon);
  const answer = takeWordReader(lexicon);
  const asker = createClaimJudge(limits, dependencies);
  const uncertain = asker?.gather<ScoredClaim>();
  const texts = { response, sources, prose: new Set(prose), records };
  const read = { context, ...texts, answer, source, uncertain };
  const scan = forEachBlock(context, (block, field) => scanBlock(read, block, field));
  if (asker === undefined || uncertain === undefined) return scan;
  if (scan === undefined && uncertain.held().length === 0) return undefined;
  const prompt = fields.find((field) => field.field === 'prompt' && !sources.includes(field));
  return settleClaims(context, scan, uncertain, asker, { response, sources, prompt });
}

/** What the blocks of one scan share. */
interface ClaimScan {
  readonly context: StageContext;
  readonly response: PreparedField;
  readonly sources: readonly PreparedField[];
  /** Those that are no data. A conversation may have many thousand results of tools. */
  readonly prose: ReadonlySet<PreparedField>;
  readonly records: RecordReaders;
  readonly answer: WordReader;
  readonly source: WordReader;
  readonly uncertain: UncertainClaims<ScoredClaim> | undefined;
}

function* scanBlock(scan: ClaimScan, block: TextBlock, field: PreparedField): Generator<void> {
  const { context, response, sources, answer, source, uncertain } = scan;
  const reader = readerOf(field, scan);
  if (reader !== undefined) readBlock(reader, block);
  const { fields } = context;
  if (field !== fields.at(-1) || block !== field.blocks.at(-1)) return;
  yield;
  const { lexicon } = answer;
  const asks = !sources.some((own) => own.field === 'prompt');
  const asked = asks ? questionOf(fields, lexicon) : undefined;
  const question = asked?.finish();
  const prompt = fields.find((own) => own.field === 'prompt');
  const isProseGiven = [...scan.prose].some(({ field }) => field !== 'system');
  const records = yield* readRecordSource(scan.records, prompt, lexicon, source);
  const texts = {
    response,
    answer: answer.finish(),
    source: source.finish(),
    question,
    records,
    isProseGiven,
    asked: asks ? prompt?.text.slice(-ASKED_LENGTH) : undefined,
  };
  yield* judge(context, texts, lexicon, uncertain);
  for (const reader of [answer, source, asked]) reader?.giveBack();
}

function readerOf(
  field: PreparedField,
  { response, prose, answer, source }: ClaimScan,
): WordReader | undefined {
  if (field === response) return answer;
  return prose.has(field) ? source : undefined;
}

/** The language of some texts; instructions and answers say less of it. */
function languageOfAll(fields: readonly PreparedField[]): string | undefined {
  return languageOf(
    fields
      .filter(({ field }) => field === 'prompt' || field === 'context')
      .map(({ text }) => text.slice(0, LANGUAGE_LENGTH))
      .join('\n'),
  );
}

/** System text is orders for the most part: it adds to another source, and is none by itself. */
function sourcesOf(fields: readonly PreparedField[], promptAsSource: boolean): PreparedField[] {
  const given = fields.filter(({ field, text }) => field === 'context' && text.trim() !== '');
  const prompts = fields.filter(
    ({ field, text }) => promptAsSource && field === 'prompt' && text.length >= SOURCE_LENGTH,
  );
  const sources = given.length > 0 ? given : prompts;
  return sources.length === 0 ? [] : [...sources, ...fields.filter(isSystem)];
}

function isSystem({ field, text }: PreparedField): boolean {
  return field === 'system' && text.trim() !== '';
}

/** The words of a scan. */
interface ScannedTexts extends ClaimSources {
  readonly response: PreparedField;
  readonly answer: Words;
  readonly question: Words | undefined;
}

function* judge(
  context: StageContext,
  { response, answer, question, ...sources }: ScannedTexts,
  lexicon: Lexicon,
  uncertain?: UncertainClaims<ScoredClaim>,
): Generator<void> {
  const { text } = response;
  const { source } = sources;
  const scorer = new ClaimScorer(text, sources, lexicon);
  const tag = languageOf(text);
  const { grammar } = lexicon;
  const isOfLanguage = tag === undefined || tag === grammar.tag;
  const isAnswerCovered = isOfLanguage && isCovered(answer);
  // An answer in several languages may have sentences in the language of the source.
  const isInLanguage = (start: number, end: number) =>
    isOfLanguage || languageOf(text.slice(start, end)) === grammar.tag;
  const isReaderQuestion = (start: number, end: number) =>
    READER_QUESTION.test(text.slice(start, end).toLowerCase());
  const sourceSaysI = source.entries.slice(0, source.count).some(({ word }) => word === 'i');
  yield* scorer.prepare();
  let largest = 0;
  let judged = 0;
  let uncovered = 0;
  for (const claim of claimsOf(answer, question, 1, isReaderQuestion)) {
    const { span } = claim;
    const kind = nonClaimAt(text, claim, span.words !== answer);
    if (kind !== undefined && (kind !== 'first person' || !sourceSaysI)) continue;
    const { words, from, to } = span;
    const isClaimCovered =
      isInLanguage(claim.start, claim.end) && isCovered(words, from, to, isAnswerCovered);
    const scored = isClaimCovered ? scorer.score(claim) : undefined;
    if (scored === undefined) {
      uncovered++;
      uncertain?.offer({ claim, features: NO_FEATURES, score: UNKNOWN, covered: false });
      yield;
      continue;
    }
    judged++;
    const { score, features } = scored;
    largest = Math.max(largest, score);
    if (uncertain !== undefined) {
      const settled = uncertain.offer({ claim, features: features.slice(), score, covered: true });
      if (settled?.covered === true) reportClaim(context, settled);
    } else if (score >= MIN_SCORE) reportClaim(context, { claim, features, score, covered: true });
    context.setScore(largest);
    yield;
  }
  if (judged === 0 && uncovered > 0) context.setScore(null);
  scorer.giveBack();
}

/** Reads the weights that the first scan with a source would read. */
export function loadClaimModels(): void {
  sharedLexicon();
  hallucinationModel();
}
