import { createFindingList } from '../finding-list.ts';
import type { Pipeline } from '../pipeline.ts';
import type { DecidedFinding } from '../policy.ts';
import type { RedactionMark, Redactor } from '../redaction/redactor.ts';
import { combinedRisk } from '../risk.ts';
import type { StageFacts } from '../stage-definition.ts';
import { severityOf } from '../stage-definition.ts';
import { builtInStage, stageFacts } from '../stages.ts';
import type {
  Finding,
  FindingGroup,
  ScanInput,
  ScanResult,
  Scores,
  StageName,
  StageReport,
} from '../types.ts';
import { unfinishedStages } from '../unfinished.ts';
import type { BorderText } from './borders.ts';
import { toBorders } from './borders.ts';
import type { Exchange } from './exchanges.ts';
import { joinedFieldOf, toExchanges } from './exchanges.ts';
import { mapMessages } from './map-messages.ts';
import type { MessageText } from './message-place.ts';
import { below, keysOf, refuseForm, wrongForm } from './text-path.ts';

/** Findings that a conversation keeps, the most severe ones, as many as a scan does by default. */
const MAX_FINDINGS = 10_000;
/** Texts of `context` have no message. */
const NO_MESSAGE = -1;

/** Messages to scan. */
export interface MessagesToScan<Message extends object = object> {
  /** See `MessagesInput` of the guard. */
  readonly messages: readonly Message[];
  readonly context?: readonly string[] | undefined;
  readonly turns?: 'all' | 'last' | undefined;
}

/** Where a text stands in a conversation. */
export interface TextPlace {
  /** Null for a passage of `context`. */
  readonly messageIndex: number | null;
  /** Index in the message's list of parts; null where its content is a text, and for tool calls. */
  readonly partIndex: number | null;
  /**
   * Names and indices from the outside in: `['messages', 3, 'content', 0, 'text']`. Where a text is JSON, as the
   * arguments of a tool call, they go on within its value.
   */
  readonly keys: readonly (string | number)[];
  /** Whether the text is the name of the member to which `keys` lead, rather than its value. */
  readonly isName: boolean;
}

/** A part that has no text: an image, a sound, a file, an item of an unknown type. */
export interface SkippedText extends TextPlace {
  /** As the part says. */
  readonly type: string;
}

/** What came of scanning a conversation. */
export interface ScannedMessages<Message extends object = object> {
  /**
   * One result for all turns. Offsets of a finding are those of the text at its place; what reaches across two
   * texts is two findings.
   */
  readonly result: ScanResult;
  /** Parts that were not scanned. */
  readonly skipped: readonly SkippedText[];
  /** Where a finding of `result` stands; a copy with other members is one of it as well. */
  placeOf(finding: Finding): TextPlace;
  /**
   * The messages with replacements for those findings whose action is `redact`, the same value alike in all of
   * them. Numbers that are replaced become strings; messages without a redaction are the same objects.
   */
  redact(findings: readonly DecidedFinding[], redactor: Redactor): readonly Message[];
}

/** A finding whose text is known. */
interface Placed extends Finding {
  readonly of: MessageText;
}

/**
 * Scans a conversation as its turns: each with all system texts, and apart from it what a model writes that is no
 * answer.
 *
 * @param scan that of a pipeline
 * @throws TypeError that names the member at fault: `messages.3.content.0.text`
 * @throws ScanCanceledError when `signal` aborts
 */
export async function scanMessages<Message extends object>(
  { messages, context, turns = 'all' }: MessagesToScan<Message>,
  scan: Pipeline['scan'],
  options: Parameters<Pipeline['scan']>[1] = {},
): Promise<ScannedMessages<Message>> {
  if (turns !== 'all' && turns !== 'last') {
    throw wrongForm(below(undefined, 'turns'), "'all' or 'last'", turns);
  }
  const { texts, skipped } = readTexts(messages);
  const all = toExchanges(texts, toPassages(context));
  const exchanges = turns === 'all' ? all : lastTurn(all);
  const results: ScanResult[] = [];
  const placed: Placed[] = [];
  for (const [index, exchange] of exchanges.entries()) {
    const result = await scan(exchange.input, options);
    results.push({ ...result, findings: [] });
    // One by one: as arguments of `push` so many would not fit on the stack.
    for (const found of placeFindings(exchange, result, index === exchanges.length - 1)) {
      placed.push(found);
    }
  }
  const known = byText(placed);
  for (const border of toBorders(turns === 'all' ? texts : textsOf(exchanges, texts))) {
    const result = await scan(border.input, options);
    const found = findAcross(border, result, known);
    results.push({ ...result, findings: [], scores: scoresOf(found, stageFacts(result.stages)) });
    for (const each of found) {
      placed.push(each);
      addTo(known, each);
    }
  }
  return {
    result: merge(results, placed),
    skipped,
    placeOf: (finding) => toPlace((finding as Placed).of),
    redact: (findings, redactor) =>
      redact(
        messages,
        texts,
        findings as readonly (DecidedFinding & Placed)[],
        redactor,
      ) as Message[],
  };
}

/**
 * What a model is given for its next answer: the system texts and the last turn.
 *
 * @throws TypeError that names the member at fault
 */
export function readLastTurn(messages: unknown): Omit<ScanInput, 'response'> {
  const exchange = toExchanges(readTexts(messages).texts, []).at(-1);
  const { response: _, ...input } = exchange?.input ?? { response: '' };
  return input;
}

function readTexts(messages: unknown) {
  const texts: MessageText[] = [];
  const skipped: SkippedText[] = [];
  mapMessages(messages, {
    replace(text) {
      texts.push(text);
      return text.text;
    },
    skip: ({ type, ...place }) => skipped.push({ ...toPlace({ ...place, isName: false }), type }),
    refuse: refuseForm,
  });
  return { texts, skipped };
}

function toPassages(context: unknown): MessageText[] {
  const root = below(undefined, 'context');
  if (context === undefined) return [];
  if (!Array.isArray(context)) throw wrongForm(root, 'a list of texts', context);
  return context.map((text: unknown, index) => {
    const path = below(root, index);
    if (typeof text !== 'string') throw wrongForm(path, 'a text', text);
    return { use: 'context', text, messageIndex: NO_MESSAGE, partIndex: null, path, isName: false };
  });
}

/** The last exchange is that of the last turn, perhaps with what the model wrote in it before. */
function lastTurn(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.slice(exchanges.at(-2)?.isCall ? -2 : -1);
}

/** All exchanges have the same system texts; the last one's findings in them count. */
function placeFindings(exchange: Exchange, { findings }: ScanResult, isLast: boolean): Placed[] {
  return findings
    .filter(({ field }) => field !== 'system' || isLast)
    .flatMap((found) =>
      joinedFieldOf(exchange, found.field, found.contextIndex)
        .placesOf(found)
        .map((place) => ({ ...found, ...place })),
    );
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
  if (builtInStage(found.stage)?.compares) return false;
  return !JUDGES.has(found.stage) || border.isNewReading(found);
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

function isSameFinding(a: Finding, b: Finding): boolean {
  return a.stage === b.stage && a.type === b.type && a.start < b.end && b.start < a.end;
}

/** The texts that are in one of the exchanges, in their order. */
function textsOf(exchanges: readonly Exchange[], texts: readonly MessageText[]): MessageText[] {
  const known = new Set(
    exchanges
      .flatMap(({ system, prompt, response, context }) => [system, prompt, response, ...context])
      .flatMap((joined) => joined.texts),
  );
  return texts.filter((text) => known.has(text));
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

/** One result for all: the larger score counts, and a stage has finished that finished everywhere. */
function merge(results: readonly ScanResult[], placed: readonly Placed[]): ScanResult {
  const stages = mergeReports(results.map((result) => result.stages));
  const facts = stageFacts(stages);
  const kept = keepMostSevere(placed, facts);
  const omitted = [...results.flatMap((result) => result.omitted), ...kept.omitted];
  return {
    stages,
    findings: kept.findings,
    findingsTruncated: omitted.length > 0,
    omitted,
    scores: mergeScores(results, stages, [...kept.findings, ...omitted]),
    failedClosed: [...new Set(results.flatMap(({ failedClosed }) => failedClosed))],
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

/** A conversation may have as many findings for each of its turns as a scan has. */
function keepMostSevere(placed: readonly Placed[], factsOf: (stage: StageName) => StageFacts) {
  if (placed.length <= MAX_FINDINGS) return { findings: placed, omitted: [] };
  const list = createFindingList(MAX_FINDINGS, (stage, found) => severityOf(factsOf(stage), found));
  for (const found of placed) list.add(found.stage, found);
  return list.finish();
}

/** The larger score counts, but for combined risks, which are those of all that was found. */
function mergeScores(
  results: readonly ScanResult[],
  stages: readonly StageReport[],
  found: readonly (Finding | FindingGroup)[],
): Scores {
  const merged: Record<string, number | null> = {};
  for (const { scores } of results) {
    for (const [name, score = null] of Object.entries(scores)) {
      const held = merged[name] ?? null;
      merged[name] = held === null || score === null ? (held ?? score) : Math.max(held, score);
    }
  }
  const facts = stageFacts(stages);
  for (const { stage } of stages) {
    const { score, scoring, risks } = facts(stage);
    if (scoring !== 'risk' || (merged[score] ?? null) === null) continue;
    merged[score] = combinedRisk(
      found.filter((each) => each.stage === stage),
      risks,
    );
  }
  return merged as Scores;
}

function mergeReports(all: readonly (readonly StageReport[])[]): StageReport[] {
  const [first = []] = all;
  return first.map((report, index) => {
    const ended = all.map((reports) => reports[index] as StageReport);
    const [unfinished] = unfinishedStages(ended);
    const durationMs = ended.reduce((sum, each) => sum + each.durationMs, 0);
    return {
      ...(unfinished ?? ended.find(({ status }) => status !== 'ok') ?? report),
      durationMs,
    };
  });
}

/** Replaces what the policies redact, in every message alike: the same value, the same placeholder. */
function redact(
  messages: unknown,
  texts: readonly MessageText[],
  decided: readonly (DecidedFinding & Placed)[],
  redactor: Redactor,
): unknown[] {
  const marks = new Map<MessageText, RedactionMark[]>();
  for (const found of decided) {
    if (found.action !== 'redact') continue;
    const held = marks.get(found.of);
    if (held === undefined) marks.set(found.of, [found]);
    else held.push(found);
  }
  if (marks.size === 0) return messages as unknown[];
  // The walk comes by the same texts in the same order; members of one name have one path.
  let index = 0;
  return mapMessages(messages, {
    replace({ text }) {
      const own = marks.get(texts[index++] as MessageText);
      return own === undefined ? text : redactor.redact(text, own);
    },
    skip: () => {},
    refuse: refuseForm,
  });
}

function toPlace({
  messageIndex,
  partIndex,
  path,
  isName,
}: Pick<MessageText, 'messageIndex' | 'partIndex' | 'path' | 'isName'>): TextPlace {
  const index = messageIndex === NO_MESSAGE ? null : messageIndex;
  return { messageIndex: index, partIndex, keys: keysOf(path), isName };
}
