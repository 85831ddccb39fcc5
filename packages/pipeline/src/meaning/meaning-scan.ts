import { askAll } from '../backends/ask-all.ts';
import type { Embedder, StageDependencies } from '../backends/types.ts';
import { WatchedContext } from '../classified/watched-context.ts';
import { EXPLANATIONS } from '../explanations.ts';
import { isCovered } from '../language/covered.ts';
import { readWords } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { StageRun } from '../stage-definition.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, StageContext, StageFinding, TextRange } from '../types.ts';
import type { MeaningModel } from './meaning-model.ts';
import { judgeMeaning, VECTOR_SIZE } from './meaning-model.ts';

export { loadMeaning } from './load-meaning.ts';

/** UTF-16 units that are read at once; of a longer text, the place that reads worst. */
const WINDOW = 512;
/** The rest of the stage's time is for reporting. */
const SHARE_OF_TIME = 0.8;
const KNOWN: Readonly<Record<string, string>> = EXPLANATIONS;

/** The encoder, and how a stage uses it. */
export interface MeaningUse {
  readonly encoder: Embedder;
  readonly model: MeaningModel;
  readonly dependencies: StageDependencies;
  /** The types that are looked for, and whether these are all that the stage has. */
  readonly enabled: ReadonlySet<string>;
  readonly isAllEnabled: boolean;
  readonly minScore: number;
}

/**
 * Runs a stage on one field after the other, and judges an English text that reaches the screen again by its meaning. A text that
 * is read whole may lose its findings; in a longer one the worst place can only gain.
 *
 * @param run the stage; it reports everything that it finds
 */
export async function scanWithMeaning(
  context: StageContext,
  run: StageRun,
  use: MeaningUse,
): Promise<void> {
  context.setScore(0);
  let largest = 0;
  for (const field of context.fields) {
    const score = await scanField(context, field, run, use);
    largest = Math.max(largest, score);
    context.setScore(largest);
  }
}

async function scanField(
  context: StageContext,
  field: PreparedField,
  run: StageRun,
  use: MeaningUse,
): Promise<number> {
  const isWhole = field.text.length <= WINDOW;
  const report = (finding: StageFinding): void => {
    if (finding.score >= use.minScore && use.enabled.has(finding.type)) context.report(finding);
  };
  // Findings that may be taken back wait; findings in a long text count at once, since it takes long.
  const watched = new WatchedContext(context, {
    fields: [field],
    report: isWhole ? () => {} : report,
    setScore: () => {},
  });
  await run(watched);
  const judged = await judgeAgain(context, watched, field, use);
  const final = judged ?? watched.findings;
  for (const finding of final) {
    if (isWhole || !watched.findings.includes(finding)) report(finding);
  }
  if (judged === undefined && use.isAllEnabled) return watched.score;
  return Math.max(0, ...final.map(({ type, score }) => (use.enabled.has(type) ? score : 0)));
}

/** The findings of a field by its meaning; undefined where they remain. */
async function judgeAgain(
  context: StageContext,
  { findings, score }: WatchedContext,
  field: PreparedField,
  use: MeaningUse,
): Promise<StageFinding[] | undefined> {
  const { types, screen } = use.model;
  const strongest = types.map((type) => strongestOf(findings, type));
  const before = strongest.map((found) => found?.score ?? (findings.length === 0 ? score : 0));
  const place = placeToRead(field, strongest);
  if (place === undefined || Math.max(...before) < screen) return undefined;
  const text = field.text.slice(place.start, place.end);
  if (!isCovered(readWords(sharedLexicon(), text))) return undefined;
  const vector = await ask(context, text, use);
  if (vector === undefined) return undefined;
  const after = judgeMeaning(use.model, vector, before);
  const mayLower = field.text.length <= WINDOW && !isDisguised(field);
  const judged = findings.map((finding) => {
    const at = types.indexOf(finding.type);
    if (at < 0 || !mayLower) return finding;
    const said = after[at] as number;
    return { ...finding, score: finding === strongest[at] ? said : Math.min(said, finding.score) };
  });
  types.forEach((type, at) => {
    const said = after[at] as number;
    if (said <= (before[at] as number) || (mayLower && strongest[at] !== undefined)) return;
    const { contextIndex } = field;
    const where = contextIndex === undefined ? {} : { contextIndex };
    judged.push({
      type,
      score: said,
      ...place,
      reason: KNOWN[type] ?? type,
      field: field.field,
      ...where,
    });
  });
  return judged;
}

function strongestOf(findings: readonly StageFinding[], type: string): StageFinding | undefined {
  return findings
    .filter((finding) => finding.type === type)
    .reduce<StageFinding | undefined>(
      (most, finding) => (most === undefined || finding.score > most.score ? finding : most),
      undefined,
    );
}

/** The whole of a short text; the surroundings of the worst place of a long text. */
function placeToRead(
  { text }: PreparedField,
  strongest: readonly (StageFinding | undefined)[],
): TextRange | undefined {
  if (!/\S/.test(text)) return undefined;
  if (text.length <= WINDOW) return { start: 0, end: text.length };
  const found = strongest.filter((finding) => finding !== undefined);
  if (found.length === 0) return undefined;
  const worst = found.reduce((most, finding) => (finding.score > most.score ? finding : most));
  const middle = (worst.start + Math.min(worst.end, worst.start + WINDOW)) >> 1;
  const start = Math.max(0, Math.min(middle - WINDOW / 2, text.length - WINDOW));
  return { start, end: start + WINDOW };
}

async function ask(
  context: StageContext,
  text: string,
  { encoder, dependencies: { startTimer, onBackendError: onError } }: MeaningUse,
): Promise<Float32Array | undefined> {
  const embed = async (asked: string, signal: AbortSignal) => {
    const [vector] = await encoder.embed([asked], signal);
    if (vector?.length === VECTOR_SIZE && vector.every(Number.isFinite)) return vector;
    throw new TypeError(`the encoder must return ${VECTOR_SIZE} numbers for a text`);
  };
  const { signal, remainingMs } = context;
  const waitMs = remainingMs * SHARE_OF_TIME;
  const [vector] = await askAll([text], embed, {
    parallel: 1,
    waitMs,
    signal,
    startTimer,
    onError,
  });
  return vector;
}

/** Whether a text hides its words, which the encoder does not see through. */
function isDisguised({ blocks }: PreparedField): boolean {
  return blocks.some((block) => {
    const texts = [...eachText(block)];
    return texts.length > 1 || texts.some(({ deobfuscated }) => deobfuscated !== undefined);
  });
}
