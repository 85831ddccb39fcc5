import type { CheckOptions } from '../guard.ts';
import type { Pipeline } from '../pipeline.ts';
import type { DecidedFinding, Policy, PolicyDecision, Violation } from '../policy.ts';
import { evaluatePolicies } from '../policy.ts';
import type { RedactionMark, Redactor } from '../redaction/redactor.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { combinedRisk } from '../risk.ts';
import { stageFacts } from '../stages.ts';
import type {
  Finding,
  FindingGroup,
  ScanInput,
  ScanResult,
  Scores,
  StageReport,
} from '../types.ts';
import { reasonFor, unfinishedStages } from '../unfinished.ts';
import type { Exchange } from './exchanges.ts';
import { joinedFieldOf, toExchanges } from './exchanges.ts';
import type { MessageText } from './map-messages.ts';
import { mapMessages } from './map-messages.ts';
import { below, showPath, wrongForm } from './text-path.ts';

/** A conversation to check. */
export interface MessagesInput<Message extends object = object> {
  /**
   * Messages of OpenAI's chat completions or responses, of the AI SDK (`ModelMessage`), or of
   * Anthropic's API, the oldest first. A response is not required.
   */
  readonly messages: readonly Message[];
  /** Passages that the model is given with the last turn, beside the results of tools. */
  readonly context?: readonly string[] | undefined;
  /**
   * `all` (default) decides on the whole conversation; `last` only on the last user's turn, what
   * follows it and the system texts, for conversations whose earlier turns only your program can change.
   */
  readonly turns?: 'all' | 'last' | undefined;
}

/** Where a finding stands in a conversation. Offsets are those of the text at `path`. */
export interface MessagePlace {
  /** Null for a passage of `context`. */
  readonly messageIndex: number | null;
  /** Index in the message's list of parts; null where its content is a text, and for tool calls. */
  readonly partIndex: number | null;
  /**
   * The text by the names of members: `messages.3.content.0.text`; within JSON arguments it goes on:
   * `messages.3.tool_calls.0.function.arguments.city`.
   */
  readonly path: string;
}

/** A finding in a conversation. What reaches across two texts is two findings. */
export type MessageFinding = Omit<DecidedFinding, 'contextIndex'> & MessagePlace;

/** A part that has no text: an image, a sound, a file, an item of an unknown type. */
export interface SkippedPart extends MessagePlace {
  /** As the part says. */
  readonly type: string;
}

/** The decision on a conversation. */
export interface MessagesResult<Message extends object = object> {
  readonly verdict: PolicyDecision['verdict'];
  /**
   * Why it is blocked: `pii_scanner found ssn`; else which stage did not finish and why:
   * `injection_scanner did not finish: timeout`; else null.
   */
  readonly reason: string | null;
  readonly violation: Violation | null;
  /**
   * The messages that may be passed on, redacted where a policy says so (numbers in tool calls become
   * strings then); those without a redaction are the same objects. Null when blocked.
   */
  readonly messages: readonly Message[] | null;
  readonly findings: readonly MessageFinding[];
  /** Parts that were not scanned. */
  readonly skipped: readonly SkippedPart[];
  /** The stages that did not come to their end, with status and error; their texts are flagged. */
  readonly failedStages: readonly StageReport[];
}

/** Texts of `context` have no message. */
const NO_MESSAGE = -1;

/**
 * Checks a conversation.
 *
 * @throws TypeError that names the member at fault: `messages.3.content.0.text`
 */
export async function checkMessages<Message extends object>(
  { messages, context, turns = 'all' }: MessagesInput<Message>,
  scan: Pipeline['scan'],
  policies: readonly Policy[],
  { signal, redactor = createRedactor() }: CheckOptions,
): Promise<MessagesResult<Message>> {
  if (turns !== 'all' && turns !== 'last') {
    throw wrongForm(below(undefined, 'turns'), "'all' or 'last'", turns);
  }
  const { texts, skipped } = readTexts(messages);
  const all = toExchanges(texts, toPassages(context));
  const exchanges = turns === 'all' ? all : lastTurn(all);
  const results: ScanResult[] = [];
  for (const { input } of exchanges) results.push(await scan(input, signal ? { signal } : {}));
  const placed = exchanges.flatMap((exchange, index) =>
    placeFindings(exchange, results[index] as ScanResult, index === exchanges.length - 1),
  );
  // The texts matter only for what they look like redacted, which is done by message here.
  const merged = merge(results, placed);
  const decision = evaluatePolicies(policies, merged, { response: '' });
  const { verdict, violation = null } = decision;
  const decided = decision.findings as readonly (DecidedFinding & Placed)[];
  const failedStages = unfinishedStages(merged.stages);
  return {
    verdict,
    reason: reasonFor(violation, failedStages),
    violation,
    messages: verdict === 'blocked' ? null : (redact(messages, decided, redactor) as Message[]),
    findings: decided.map(toMessageFinding),
    skipped,
    failedStages,
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
  const skipped: SkippedPart[] = [];
  mapMessages(messages, {
    replace(text) {
      texts.push(text);
      return text.text;
    },
    skip: ({ path, ...place }) => skipped.push({ ...place, path: showPath(path) }),
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

/** A finding whose text is known. */
interface Placed extends Finding {
  readonly of: MessageText;
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

/** One result for all: the larger score counts, and a stage has finished that finished everywhere. */
function merge(results: readonly ScanResult[], findings: readonly Finding[]): ScanResult {
  const omitted = results.flatMap((result) => result.omitted);
  const stages = mergeReports(results.map((result) => result.stages));
  return {
    stages,
    findings,
    findingsTruncated: omitted.length > 0,
    omitted,
    scores: mergeScores(results, stages, [...findings, ...omitted]),
    failedClosed: [...new Set(results.flatMap(({ failedClosed }) => failedClosed))],
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
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
    return unfinished ?? ended.find(({ status }) => status !== 'ok') ?? report;
  });
}

/** Replaces what the policies redact, in every message alike: the same value, the same placeholder. */
function redact(
  messages: unknown,
  decided: readonly (DecidedFinding & Placed)[],
  redactor: Redactor,
): unknown[] {
  const marks = new Map<string, RedactionMark[]>();
  const keyOf = ({ path, isName }: MessageText) => `${isName} ${showPath(path)}`;
  for (const found of decided) {
    if (found.action !== 'redact') continue;
    const key = keyOf(found.of);
    const held = marks.get(key);
    if (held === undefined) marks.set(key, [found]);
    else held.push(found);
  }
  if (marks.size === 0) return messages as unknown[];
  return mapMessages(messages, {
    replace: (text) => redactor.redact(text.text, marks.get(keyOf(text)) ?? []),
    skip: () => {},
  });
}

function toMessageFinding({
  of: { messageIndex, partIndex, path },
  contextIndex: _,
  ...found
}: DecidedFinding & Placed): MessageFinding {
  const index = messageIndex === NO_MESSAGE ? null : messageIndex;
  return { ...found, messageIndex: index, partIndex, path: showPath(path) };
}
