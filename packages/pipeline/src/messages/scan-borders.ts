import type { StageFacts } from '../stage-definition.ts';
import { builtInStage, stageFacts } from '../stages.ts';
import type { Finding, ScanInput, ScanResult, Scores, StageName } from '../types.ts';
import type { BorderText } from './borders.ts';
import { toBorders } from './borders.ts';
import { toJsonReadings } from './json-readings.ts';
import type { MessageText } from './message-place.ts';
import { runInTurns } from './steps.ts';

/** A finding whose text is known. */
export interface Placed extends Finding {
  readonly of: MessageText;
}

/** What was found where texts meet: a result without findings, and the findings by their texts. */
export interface BorderScan {
  readonly result: ScanResult;
  readonly found: readonly Placed[];
}

/** Scans a text; its options are given already. */
type Scan = (input: ScanInput) => Promise<ScanResult>;

/**
 * Scans the texts around every border between two texts that a model reads in one go, and the other readings of JSON.
 *
 * @param placed what the texts have been found to have already
 */
export async function scanBorders(
  texts: readonly MessageText[],
  placed: readonly Placed[],
  scan: Scan,
): Promise<BorderScan[]> {
  const readings = await runInTurns(toJsonReadings(texts));
  const borders = [...(await runInTurns(toBorders(texts))), ...readings];
  if (borders.length === 0) return [];
  const known = byText(placed);
  const scans: BorderScan[] = [];
  for (const border of borders) {
    const result = await scan(border.input);
    const found = findAcross(border, result, known);
    for (const each of found) addTo(known, each);
    scans.push({ result: resultOf(result, found), found });
  }
  return scans;
}

/** A result of which some findings count: they stand by themselves, with their scores. */
export function resultOf(result: ScanResult, found: readonly Finding[]): ScanResult {
  return { ...result, findings: [], scores: scoresOf(found, stageFacts(result.stages)) };
}

/**
 * What lies on both sides of a border. Where one side has a finding of the type by itself, it is known already: what the
 * other side adds to it is no more than a word that stands next to it.
 */
function findAcross(border: BorderText, { findings }: ScanResult, known: KnownFindings): Placed[] {
  return findings
    .filter((found) => border.crosses(found) && isJudgedAcross(border, found))
    .flatMap((found) => {
      const range = { start: border.start + found.start, end: border.start + found.end };
      const places = border.joined.placesOf(range).map((place) => ({ ...found, ...place }));
      const isKnown = places.some((place) =>
        known.get(place.of)?.some((each) => isSameFinding(place, each)),
      );
      return isKnown ? [] : places;
    });
}

/** Stages that judge the meaning of sentences. */
const JUDGES: ReadonlySet<string> = new Set(['injection_scanner', 'toxicity_scanner']);

function isJudgedAcross(border: BorderText, found: Finding): boolean {
  if (comparesTexts(found)) return false;
  return !JUDGES.has(found.stage) || border.isNewReading(found);
}

/** Whether a finding is of a stage that compares whole texts, of which a part says nothing. */
export function comparesTexts({ stage }: Finding): boolean {
  return builtInStage(stage)?.compares === true;
}

/** Findings by the text in which they are. */
type KnownFindings = Map<MessageText, Placed[]>;

function byText(placed: readonly Placed[]): KnownFindings {
  const known: KnownFindings = new Map();
  for (const found of placed) addTo(known, found);
  return known;
}

function addTo(known: KnownFindings, found: Placed): void {
  const held = known.get(found.of);
  if (held === undefined) known.set(found.of, [found]);
  else held.push(found);
}

/** Whether two findings of one text are one, seen with more or less of the text around it. */
export function isSameFinding(a: Finding, b: Finding): boolean {
  return a.stage === b.stage && a.type === b.type && a.start < b.end && b.start < a.end;
}

/** The scores of findings by themselves; a combined risk is that of all that was found. */
function scoresOf(found: readonly Finding[], factsOf: (stage: StageName) => StageFacts): Scores {
  const scores: Record<string, number | null> = {};
  for (const { stage, score } of found) {
    const { score: name, scoring } = factsOf(stage);
    if (scoring === 'findings') scores[name] = Math.max(scores[name] ?? 0, score);
  }
  return scores as Scores;
}
