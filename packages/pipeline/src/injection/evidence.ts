import { allMatches } from '../text/matches.ts';
import type { TextRange } from '../types.ts';
import type { Needles } from './needle.ts';
import { compileNeedles, findNeedles } from './needle.ts';

/** One sign of an attack: where it stands, which rule saw it, and how much it counts in log-odds. */
export interface Evidence extends TextRange {
  readonly rule: string;
  readonly weight: number;
}

/** A sign that a regular expression sees. Expressions are linear: every quantifier is bounded or simple. */
export interface PatternRule {
  readonly rule: string;
  readonly weight: number;
  /** Global; runs over text in lower case. */
  readonly pattern: RegExp;
  /** Strings of which the text must have one, or the expression need not run; cheaper by far. */
  readonly needs?: readonly string[] | undefined;
  /** Strings of which the text must have one as well. */
  readonly needsAlso?: readonly string[] | undefined;
}

/** A group of signs close to each other with its probability. */
export interface ScoredCluster extends TextRange {
  readonly score: number;
  /** The rule that counted most. */
  readonly rule: string;
}

/** Log-odds without any sign: 5 % of texts that made a rule look. A score of 0.5 takes a sum of 3. */
const BIAS = -3;

/** The sum of weights at which a score is 0.5. */
export const EVEN_ODDS = -BIAS;

/** Rules made ready to be matched. */
export interface RuleSet {
  readonly rules: readonly PatternRule[];
  readonly needles: Needles;
  /** Two places a rule, for its two lists: 1 where the text at hand has one of the strings. */
  readonly found: Uint8Array;
}

/** Makes rules ready to be matched with many texts. */
export function compileRules(rules: readonly PatternRule[]): RuleSet {
  const lists = rules.flatMap(({ needs = [], needsAlso = [] }) => [needs, needsAlso]);
  return { rules, needles: compileNeedles(lists), found: new Uint8Array(lists.length) };
}

/** Collects what the rules see in `text`; a rule is listed once per place. */
export function matchRules({ rules, needles, found }: RuleSet, text: string): Evidence[] {
  const evidence: Evidence[] = [];
  if (needles.texts.length > 0) findNeedles(text, needles, found);
  for (let at = 0; at < rules.length; at++) {
    const { rule, weight, pattern, needs, needsAlso } = rules[at] as PatternRule;
    if (needs !== undefined && found[2 * at] === 0) continue;
    if (needsAlso !== undefined && found[2 * at + 1] === 0) continue;
    for (const match of allMatches(text, pattern)) {
      evidence.push({ rule, weight, start: match.index, end: match.index + match[0].length });
    }
  }
  return evidence;
}

/**
 * Groups signs that lie within `reach` of each other and turns each group's sum of weights, every
 * rule counted once, into a probability. `adjust` adds what the surroundings of a group say, in
 * log-odds.
 */
export function scoreClusters(
  evidence: readonly Evidence[],
  reach: number,
  adjust: (place: TextRange, group: readonly Evidence[]) => number,
): ScoredCluster[] {
  const sorted = [...evidence].sort((a, b) => a.start - b.start);
  const clusters: ScoredCluster[] = [];
  let group: Evidence[] = [];
  let end = -1;
  const close = () => {
    if (group.length > 0) clusters.push(scoreGroup(group, adjust));
  };
  for (const sign of sorted) {
    if (group.length > 0 && sign.start - end > reach) {
      close();
      group = [];
      end = -1;
    }
    group.push(sign);
    end = Math.max(end, sign.end);
  }
  close();
  return clusters;
}

function scoreGroup(
  group: readonly Evidence[],
  adjust: (place: TextRange, group: readonly Evidence[]) => number,
): ScoredCluster {
  const weights = new Map<string, number>();
  for (const { rule, weight } of group) {
    weights.set(rule, Math.max(weights.get(rule) ?? 0, weight));
  }
  const start = group[0]?.start ?? 0;
  const end = group.reduce((last, sign) => Math.max(last, sign.end), 0);
  let sum = BIAS + adjust({ start, end }, group);
  let strongest = { rule: '', weight: 0 };
  for (const [rule, weight] of weights) {
    sum += weight;
    if (weight > strongest.weight) strongest = { rule, weight };
  }
  return { start, end, score: logistic(sum), rule: strongest.rule };
}

/** The probability that a score becomes when `logOdds` are added. */
export function strengthen(score: number, logOdds: number): number {
  return score <= 0 || score >= 1 ? score : logistic(Math.log(score / (1 - score)) + logOdds);
}

/** The logistic function, rounded to four places. */
function logistic(logOdds: number): number {
  return Math.round(10_000 / (1 + Math.exp(-logOdds))) / 10_000;
}
