import commandRules from './data/command-rules.json' with { type: 'json' };
import type { Evidence, ScoredCluster } from './evidence.ts';
import { compileRules, matchRules, scoreClusters } from './evidence.ts';
import { LINE_OPENERS } from './line-openers.ts';
import { readRules } from './rule-data.ts';
import { closesOwnLiteral, proseAdjustment, readCodeSurroundings } from './surroundings.ts';

const HINT =
  /\{\w{2,5},|[;|&`\n]|\$[({i]|%0[ad]|<!--|\/dev\/tcp|\bnc\b|mkfifo|\bimport\s|rm\s+-|c'?'a|powershell/;
const REACH = 100;
const CLOSED_QUOTE = 'shell operator and a program after a closed quote';
/** Signs that no ordinary command has. */
const UNMISTAKABLE: ReadonlySet<string> = new Set([
  'blank replaced by a shell variable',
  'reverse shell',
  'function definition trick',
]);
const RULES = compileRules(readRules(commandRules));
const SCRIPT_LINES = 3;
const LONG_SCRIPT_LINES = 9;

/** Shell commands injected into a value, in a text in lower case. */
export function findCommandInjection(text: string): ScoredCluster[] {
  if (!HINT.test(text)) return [];
  const evidence = matchRules(RULES, text);
  if (evidence.length === 0) return [];
  return scoreClusters(evidence, REACH, (place) => adjustment(text, place, evidence));
}

function adjustment(
  text: string,
  place: { readonly start: number; readonly end: number },
  evidence: readonly Evidence[],
): number {
  const surroundings = readCodeSurroundings(text, place);
  let sum = proseAdjustment(surroundings);
  const line = surroundings.lineBefore + text.slice(place.start, place.end);
  const quotes = evidence.filter(({ rule }) => rule === CLOSED_QUOTE);
  const own = quotes.filter(({ start }) => closesOwnLiteral(text, start));
  const broken = own.length < quotes.length || evidence.some(({ rule }) => UNMISTAKABLE.has(rule));
  if (own.length > 0) sum -= 2.5;
  if (LINE_OPENERS.test(line) && !broken) sum -= 3;
  const lines = text.split('\n', LONG_SCRIPT_LINES + 1).length;
  if (lines > SCRIPT_LINES) sum -= lines > LONG_SCRIPT_LINES ? 2 : 1;
  return sum;
}
