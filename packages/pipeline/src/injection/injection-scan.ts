import { EXPLANATIONS } from '../explanations.ts';
import { forEachBlock, isWorthCheckpoints } from '../for-each-block.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { PreparedField, StageContext, StageFinding, TextRange } from '../types.ts';
import { isOnlyCode, standsAsValue } from './code-place.ts';
import { findCommandInjection } from './command.ts';
import type { ScoredCluster } from './evidence.ts';
import { strengthen } from './evidence.ts';
import type { InjectionType } from './injection-types.ts';
import { INJECTION_TYPES } from './injection-types.ts';
import type { LearnedJudge, Standing } from './learned.ts';
import { EMBEDDED, MOST_UNNAMED, placedScore } from './learned.ts';
import type { LengthOdds } from './length-odds.ts';
import { lengthOdds } from './length-odds.ts';

export { createLearnedJudge } from './learned.ts';

import { findPromptInjection, isMentioned } from './prompt.ts';
import { STEERING_RULE } from './prompt-rules.ts';
import { findSqlInjection, WHOLE_STATEMENT } from './sql.ts';
import { isLegalText, mayBeProse, readCodeSurroundings } from './surroundings.ts';
import { withoutTurnLabels } from './turn-labels.ts';
import { findXpathInjection } from './xpath.ts';

type Detector = (folded: Tokens) => readonly ScoredCluster[];

const DETECTORS: Readonly<Record<InjectionType, Detector>> = {
  prompt_injection: findPromptInjection,
  sql_injection: ({ text }) => findSqlInjection(text),
  command_injection: ({ text }) => findCommandInjection(text),
  xpath_injection: ({ text }) => findXpathInjection(text),
};
/** What an order about the answer adds in log-odds where only material should stand. */
const OUT_OF_PLACE = 1;
/** Below this a sign is too weak to be reported. */
const MIN_SCORE = 0.3;

/** Reports attempts of the enabled types, by rules and by the learned model. */
export function scanInjections(
  context: StageContext,
  enabled: readonly InjectionType[],
  learned: LearnedJudge,
): Promise<void> | undefined {
  context.setScore(0);
  const scan: InjectionScan = { context, enabled, learned, largest: 0 };
  return forEachBlock(context, (block, field) => scanBlock(scan, block, field));
}

/** What the blocks of one scan share. */
interface InjectionScan {
  readonly context: StageContext;
  readonly enabled: readonly InjectionType[];
  readonly learned: LearnedJudge;
  largest: number;
}

function* scanBlock(scan: InjectionScan, block: TextBlock, field: PreparedField): Generator<void> {
  const { context, enabled, learned } = scan;
  const found = new Map<InjectionType, ScoredCluster[]>();
  const length = lengthOdds(field.text.length);
  for (const text of eachText(block)) {
    for (const view of viewsOf(text)) {
      const tokens = text.tokensOf(view);
      const types = view === text.folded ? enabled : enabled.filter(isHiddenInWords);
      const byRules: (readonly ScoredCluster[])[] = [];
      for (const type of types) {
        byRules.push(weakenAll(DETECTORS[type](tokens), type, length));
        if (isWorthCheckpoints(view.text)) yield;
      }
      const highest = judgeView(view, tokens, types, byRules, length, learned, found);
      scan.largest = Math.max(scan.largest, highest);
      yield;
    }
  }
  for (const [type, places] of found) {
    addFindings(block, field, type, places, (finding) => {
      context.report(finding);
      scan.largest = Math.max(scan.largest, finding.score);
    });
  }
  context.setScore(scan.largest);
}

function addFindings(
  block: TextBlock,
  field: PreparedField,
  type: InjectionType,
  places: readonly ScoredCluster[],
  add: (finding: StageFinding) => void,
): void {
  for (const found of bestPerPlace(places)) {
    if (found.start >= block.ownedEnd || found.end <= block.ownedStart) continue;
    add({
      type,
      score: scoreIn(field, type, found),
      field: field.field,
      ...(field.contextIndex === undefined ? {} : { contextIndex: field.contextIndex }),
      start: found.start,
      end: found.end,
      reason: reasonOf(type, found),
    });
  }
}

function scoreIn(field: PreparedField, type: InjectionType, found: ScoredCluster): number {
  const { rule, score } = found;
  if (!isHiddenInWords(type)) return standsAsValue(field, found) ? score : placedScore(score);
  if (isOnlyCode(field, found)) return placedScore(score);
  const isSteered = field.field === 'context' && rule === STEERING_RULE;
  return isSteered ? strengthen(score, OUT_OF_PLACE) : score;
}

/** The explanation of the type, and the sign that shows it where a rule saw one. */
function reasonOf(type: InjectionType, { rule }: ScoredCluster): string {
  const explained = EXPLANATIONS[type];
  return rule === explained || rule === EMBEDDED ? rule : `${explained}: ${rule}`;
}

/** Leetspeak and spaced letters hide words; in code they are what the code is. */
function isHiddenInWords(type: InjectionType): boolean {
  return type === 'prompt_injection';
}

/**
 * Collects what the types have in a view, offsets in the original; returns the highest score. In one
 * go, since the scans of a pipeline share the judge.
 */
function judgeView(
  { range }: TextView,
  tokens: Tokens,
  types: readonly InjectionType[],
  byRules: readonly (readonly ScoredCluster[])[],
  length: LengthOdds,
  learned: LearnedJudge,
  into: Map<InjectionType, ScoredCluster[]>,
): number {
  let largest = 0;
  learned.read(withoutTurnLabels(tokens));
  types.forEach((type, at) => {
    const clusters = byRules[at] as readonly ScoredCluster[];
    const head = INJECTION_TYPES.indexOf(type);
    const { highest, places } = learned.judge(
      head,
      clusters,
      MIN_SCORE,
      EXPLANATIONS[type],
      length,
      (place) =>
        isHiddenInWords(type)
          ? standingOfPrompt(tokens, place)
          : standingOfCode(type, tokens, place),
    );
    const found = into.get(type) ?? [];
    for (const place of places) found.push({ ...place, ...range(place.start, place.end) });
    into.set(type, found);
    // How much a place counts depends on the text around it, which is read with its finding.
    largest = Math.max(largest, Math.min(highest, MOST_UNNAMED));
  });
  return largest;
}

/** Takes from each cluster what a text of this length loses. */
function weakenAll(
  clusters: readonly ScoredCluster[],
  type: InjectionType,
  { rules, windows }: LengthOdds,
): readonly ScoredCluster[] {
  const odds = isHiddenInWords(type) ? rules : windows;
  if (odds === 0) return clusters;
  return clusters.map((cluster) => ({ ...cluster, score: strengthen(cluster.score, -odds) }));
}

function standingOfPrompt(tokens: Tokens, place: TextRange): Standing {
  if (!mayBeProse(tokens, place)) return 'none';
  return isLegalText(tokens.text, place) || isMentioned(tokens.text, place) ? 'weak' : 'counts';
}

function standingOfCode(type: InjectionType, { text }: Tokens, place: TextRange): Standing {
  if (!isBareValue(type, text, place)) return 'none';
  return type === 'sql_injection' && WHOLE_STATEMENT.test(text) ? 'weak' : 'counts';
}

/** Signs without which nothing leaves its place in a statement, a command line or a path. */
const CODE_SIGN = /[;|&`$<'"(%/\\#]|--/;
/** Signs without which no shell runs a second command: a path alone is none. */
const SHELL_SIGN = /[;|&`$<>\n(]|%(?:0[ad]|3b|7c|26)/;

/** Longer texts are no values. */
const LONGEST_VALUE = 1000;

/** The model of code was shown values; in prose and listings the rules judge alone. */
function isBareValue(type: InjectionType, text: string, place: TextRange): boolean {
  if (text.length > LONGEST_VALUE) return false;
  if (!CODE_SIGN.test(text.slice(place.start, place.end))) return false;
  if (type === 'command_injection' && !SHELL_SIGN.test(text)) return false;
  const { functionWords, inCode } = readCodeSurroundings(text, place);
  const inside = readCodeSurroundings(text, { start: place.start, end: place.start });
  return functionWords + inside.functionWords < 3 && !inCode;
}

function viewsOf({ folded, deobfuscated }: PreparedText): TextView[] {
  return deobfuscated === undefined ? [folded] : [folded, deobfuscated];
}

/** Of findings that overlap, seen in several forms of the text, the one with the highest score. */
function bestPerPlace(found: readonly ScoredCluster[]): ScoredCluster[] {
  const kept: ScoredCluster[] = [];
  for (const cluster of [...found].sort((a, b) => b.score - a.score)) {
    const overlaps = kept.some(({ start, end }) => cluster.start < end && start < cluster.end);
    if (!overlaps) kept.push(cluster);
  }
  return kept.sort((a, b) => a.start - b.start);
}
