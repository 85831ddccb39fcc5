import type { Pipeline } from '../pipeline.ts';
import type { DecidedFinding } from '../policy-types.ts';
import type { RedactionMark } from '../redaction/redactor.ts';
import type { Finding, ScanResult, Scores } from '../types.ts';
import { joinTexts } from './joined-text.ts';
import { mergeResults } from './merge-results.ts';
import type { MessageText } from './message-place.ts';
import type { Placed } from './scan-borders.ts';
import { comparesTexts, isSameFinding, resultOf, scanBorders } from './scan-borders.ts';
import { runAtOnce } from './steps.ts';
import { below } from './text-path.ts';

/** A part of a text. */
export interface TextPiece {
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
}

/** What texts have together that none of them has by itself. */
export interface TogetherScan {
  /** A finding across two texts is two findings. Offsets are those of the texts, of which the pieces are parts. */
  readonly result: ScanResult;
  /** The characters of a finding of `result`. */
  matchedText(finding: Finding): string;
  /** For each piece the findings that are redacted. */
  marksOf(findings: readonly DecidedFinding[]): readonly (readonly RedactionMark[])[];
}

/**
 * Scans pieces of texts of an answer that follow one another, each of which is scanned by itself elsewhere: what lies in two of
 * them, whether they are read with a line end between them or without, and what shows in a text only by the texts
 * before it, such as a number by the word for it. Stages that compare whole texts are left out.
 *
 * @param scan that of a pipeline
 * @throws ScanCanceledError when `signal` aborts
 */
export async function scanTogether(
  pieces: readonly TextPiece[],
  scan: Pipeline['scan'],
  options: Parameters<Pipeline['scan']>[1] = {},
): Promise<TogetherScan> {
  const content = below(undefined, 'content');
  const texts = pieces.map(
    ({ text }, index): MessageText => ({
      ...{ use: 'response', text, messageIndex: 0, partIndex: index },
      ...{ path: below(content, index), isName: false, content },
    }),
  );
  const joined = joinTexts(texts);
  const whole = await scan({ response: joined.text }, options);
  const found: Placed[] = [];
  const own: Placed[] = [];
  for (const each of whole.findings.filter((finding) => !comparesTexts(finding))) {
    const places = joined.placesOf(each).map((place) => ({ ...each, ...place }));
    (places.length > 1 ? found : own).push(...places);
  }
  const borders = await scanBorders(texts, [...found, ...own], (input) => scan(input, options));
  for (const border of borders) found.push(...border.found);
  found.push(...(await shownByOthers(own, (response) => scan({ response }, options))));
  const placed = found.map((each) => shifted(each, pieces[each.of.partIndex ?? 0]?.start ?? 0));
  const counted = resultOf(whole, found);
  const scores = { ...withoutFindings(whole.scores), ...counted.scores };
  const results = [{ ...counted, scores }, ...borders.map(({ result }) => result)];
  return {
    result: runAtOnce(mergeResults(results, placed)),
    matchedText(finding) {
      const { of, start, end } = finding as Placed;
      const begin = pieces[of.partIndex ?? 0]?.start ?? 0;
      return of.text.slice(start - begin, end - begin);
    },
    marksOf: (findings) =>
      texts.map((text) =>
        (findings as readonly (DecidedFinding & Placed)[]).filter(
          ({ action, of }) => action === 'redact' && of === text,
        ),
      ),
  };
}

/** The scores of what was judged, before anything counts. */
function withoutFindings(scores: Scores): Scores {
  const judged = Object.entries(scores).map(([name, score = null]) => [name, score && 0]);
  return Object.fromEntries(judged) as Scores;
}

function shifted(found: Placed, by: number): Placed {
  return { ...found, start: found.start + by, end: found.end + by };
}

/** The findings that a text does not have without the texts before it. */
async function shownByOthers(
  own: readonly Placed[],
  scan: (text: string) => Promise<ScanResult>,
): Promise<Placed[]> {
  const shown: Placed[] = [];
  for (const text of new Set(own.map(({ of }) => of))) {
    // Before the first text there is nothing, and the others may be cut at their ends.
    if (text.partIndex === 0) continue;
    const { findings } = await scan(text.text);
    const isOwn = (found: Placed) => findings.some((each) => isSameFinding(each, found));
    shown.push(...own.filter((found) => found.of === text && !isOwn(found)));
  }
  return shown;
}
