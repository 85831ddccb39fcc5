import type { Pipeline } from '../pipeline.ts';
import type { DecidedFinding } from '../policy-types.ts';
import type { RedactionMark, Redactor } from '../redaction/redactor.ts';
import type { Finding, ScanInput, ScanResult } from '../types.ts';
import type { Exchange } from './exchanges.ts';
import { joinedFieldOf, toExchanges } from './exchanges.ts';
import { mapMessages } from './map-messages.ts';
import { mergeResults } from './merge-results.ts';
import type { MessageText } from './message-place.ts';
import type { Placed } from './scan-borders.ts';
import { scanBorders } from './scan-borders.ts';
import type { Steps } from './steps.ts';
import { runInTurns } from './steps.ts';
import { below, keysOf, refuseForm, wrongForm } from './text-path.ts';

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
  /** The characters of a finding of `result`. */
  matchedText(finding: Finding): string;
  /**
   * The messages with replacements for those findings whose action is `redact`, the same value alike in all of
   * them. Numbers that are replaced become strings; messages without a redaction are the same objects.
   */
  redact(findings: readonly DecidedFinding[], redactor: Redactor): Promise<readonly Message[]>;
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
  const { texts, skipped } = await runInTurns(readTexts(messages));
  const all = await runInTurns(toExchanges(texts, toPassages(context)));
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
  const read = turns === 'all' ? texts : textsOf(exchanges, texts);
  for (const { result, found } of await scanBorders(read, placed, (input) =>
    scan(input, options),
  )) {
    results.push(result);
    for (const each of found) placed.push(each);
  }
  return {
    result: await runInTurns(mergeResults(results, placed)),
    skipped,
    placeOf: (finding) => toPlace((finding as Placed).of),
    matchedText: (finding) => (finding as Placed).of.text.slice(finding.start, finding.end),
    async redact(findings, redactor) {
      const decided = findings as readonly (DecidedFinding & Placed)[];
      return (await redact(messages, texts, decided, redactor)) as Message[];
    },
  };
}

/**
 * What a model is given for its next answer: the system texts and the last turn.
 *
 * @throws TypeError that names the member at fault
 */
export async function readLastTurn(messages: unknown): Promise<Omit<ScanInput, 'response'>> {
  const { texts } = await runInTurns(readTexts(messages));
  const exchange = (await runInTurns(toExchanges(texts, []))).at(-1);
  const { response: _, ...input } = exchange?.input ?? { response: '' };
  return input;
}

/** The texts of a conversation, and its parts without any. */
interface ReadTexts {
  readonly texts: readonly MessageText[];
  readonly skipped: readonly SkippedText[];
}

function* readTexts(messages: unknown): Steps<ReadTexts> {
  const texts: MessageText[] = [];
  const skipped: SkippedText[] = [];
  yield* mapMessages(messages, {
    replace(text) {
      texts.push(text);
      return text.text;
    },
    literal(value) {
      const name = texts.pop();
      if (name !== undefined) texts.push({ ...name, literal: value });
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
  return [...context].map((text: unknown, index) => {
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

/** The texts that are in one of the exchanges, in their order. */
function textsOf(exchanges: readonly Exchange[], texts: readonly MessageText[]): MessageText[] {
  const known = new Set(
    exchanges
      .flatMap(({ system, prompt, response, context }) => [system, prompt, response, ...context])
      .flatMap((joined) => joined.texts),
  );
  return texts.filter((text) => known.has(text));
}

/** Replaces what the policies redact, in every message alike: the same value, the same placeholder. */
async function redact(
  messages: unknown,
  texts: readonly MessageText[],
  decided: readonly (DecidedFinding & Placed)[],
  redactor: Redactor,
): Promise<unknown[]> {
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
  const steps = mapMessages(messages, {
    replace({ text }) {
      const own = marks.get(texts[index++] as MessageText);
      return own === undefined ? text : redactor.redact(text, own);
    },
    skip: () => {},
    refuse: refuseForm,
  });
  return runInTurns(steps);
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
