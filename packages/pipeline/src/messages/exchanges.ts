import type { Field, ScanInput } from '../types.ts';
import type { JoinedText } from './joined-text.ts';
import { joinSteps, joinTexts } from './joined-text.ts';
import type { MessageText } from './message-place.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';

/** One input to scan, and where its texts are from. */
export interface Exchange {
  readonly input: ScanInput;
  readonly system: JoinedText;
  readonly prompt: JoinedText;
  readonly response: JoinedText;
  readonly context: readonly JoinedText[];
  /** Whether it is what a model wrote that is no answer, rather than a turn. */
  readonly isCall: boolean;
}

/** The texts of a turn: what the user says and what follows, up to what the user says next. */
interface Turn {
  readonly prompt: MessageText[];
  readonly response: MessageText[];
  readonly call: MessageText[];
  /** By tool result. */
  readonly context: Map<string, MessageText[]>;
}

/** UTF-16 units of system texts that the turns of a conversation are given in all, besides the last one. */
const MAX_SYSTEM_UNITS = 2 ** 23;

/**
 * The inputs that a conversation is scanned as: one for each turn, with all system texts, and one for
 * what a model writes in the turn that is no answer. That has no source it could contradict. Where system texts are
 * so long and turns so many that they would be scanned for minutes, the earliest turns go without them.
 *
 * @param further passages that the last turn was given beside those in the messages
 */
export function* toExchanges(
  texts: readonly MessageText[],
  further: readonly MessageText[],
): Steps<Exchange[]> {
  const system = yield* joinSteps(texts.filter(({ use }) => use === 'system'));
  const none = joinTexts([]);
  const turns = yield* toTurns(texts);
  const last = turns.at(-1) as Turn;
  for (const text of further) last.context.set(`further ${last.context.size}`, [text]);
  const withSystem = 1 + Math.floor(MAX_SYSTEM_UNITS / Math.max(1, system.text.length));
  const exchanges: Exchange[] = [];
  for (const [index, turn] of turns.entries()) {
    if (isStepDue()) yield;
    if (turn.call.length > 0) {
      exchanges.push(yield* toExchange({ ...emptyTurn(), response: turn.call }, none, true));
    }
    const own = turns.length - index <= withSystem ? system : none;
    exchanges.push(yield* toExchange(turn, own, false));
  }
  return exchanges;
}

/** What was found in one of the texts. */
export function joinedFieldOf(exchange: Exchange, field: Field, contextIndex = 0): JoinedText {
  return field === 'context' ? (exchange.context[contextIndex] as JoinedText) : exchange[field];
}

function* toTurns(texts: readonly MessageText[]): Steps<Turn[]> {
  const turns: Turn[] = [emptyTurn()];
  for (const text of texts) {
    if (isStepDue()) yield;
    let turn = turns.at(-1) as Turn;
    const isAnswered = turn.response.length + turn.call.length + turn.context.size > 0;
    if (text.use === 'prompt' && isAnswered) {
      turn = emptyTurn();
      turns.push(turn);
    }
    if (text.use === 'context') addPassage(turn, text);
    else if (text.use !== 'system') turn[text.use].push(text);
  }
  return turns;
}

function addPassage({ context }: Turn, text: MessageText): void {
  const key = `${text.messageIndex} ${text.partIndex}`;
  const held = context.get(key);
  if (held === undefined) context.set(key, [text]);
  else held.push(text);
}

function emptyTurn(): Turn {
  return { prompt: [], response: [], call: [], context: new Map() };
}

function* toExchange(turn: Turn, system: JoinedText, isCall: boolean): Steps<Exchange> {
  const prompt = yield* joinSteps(turn.prompt);
  const response = yield* joinSteps(turn.response);
  const context: JoinedText[] = [];
  for (const texts of turn.context.values()) context.push(yield* joinSteps(texts));
  const input: { -readonly [Name in keyof ScanInput]: ScanInput[Name] } = {
    response: response.text,
  };
  if (system.text !== '') input.system = system.text;
  if (prompt.text !== '') input.prompt = prompt.text;
  if (context.length > 0) input.context = context.map(({ text }) => text);
  return { input, system, prompt, response, context, isCall };
}
