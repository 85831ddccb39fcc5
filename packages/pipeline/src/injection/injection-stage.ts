import { checkRecord, checkSwitches } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { eachText, type PreparedText, type TextBlock } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import type { PreparedField, Stage, StageContext, StageFinding } from '../types.ts';
import { findCommandInjection } from './command.ts';
import { type ScoredCluster, strengthen } from './evidence.ts';
import { findPromptInjection } from './prompt.ts';
import { STEERING_RULE } from './prompt-rules.ts';
import { findSqlInjection } from './sql.ts';
import { findXpathInjection } from './xpath.ts';

/** The types of the specification's key `stage_config.injection_scanner.types`. */
export type InjectionType =
  | 'prompt_injection'
  | 'sql_injection'
  | 'command_injection'
  | 'xpath_injection';

type Detector = (text: string) => readonly ScoredCluster[];

const DETECTORS: Readonly<Record<InjectionType, Detector>> = {
  prompt_injection: findPromptInjection,
  sql_injection: findSqlInjection,
  command_injection: findCommandInjection,
  xpath_injection: findXpathInjection,
};
const TYPES = Object.keys(DETECTORS) as InjectionType[];
/** What an order about the answer adds in log-odds where only material should stand. */
const OUT_OF_PLACE = 1;
/** Below this a sign is too weak to be shown to anybody. */
const MIN_SCORE = 0.3;

/**
 * Makes the stage `injection_scanner`: attempts to take over a model, a database, a shell or an XPath
 * query, in prompt, response and context. Its score is the largest of its findings, 0 without any.
 *
 * Option: `types`, an object of switches by type, each on by default.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createInjectionStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set(['types']));
  const enabled = checkSwitches(`${path}.types`, options.types, TYPES);
  return Object.freeze({
    name: 'injection_scanner',
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) => scanFields(context, enabled),
  } satisfies Stage);
}

function scanFields(
  context: StageContext,
  enabled: ReadonlySet<InjectionType>,
): Promise<void> | undefined {
  let largest = 0;
  context.setScore(largest);
  return forEachBlock(context, function* visit(block, field) {
    for (const type of enabled) {
      addFindings(block, field, type, (finding) => {
        context.report(finding);
        largest = Math.max(largest, finding.score);
      });
      context.setScore(largest);
      yield;
    }
  });
}

function addFindings(
  block: TextBlock,
  field: PreparedField,
  type: InjectionType,
  add: (finding: StageFinding) => void,
): void {
  for (const found of bestPerPlace(scanBlock(block, type))) {
    if (found.start >= block.ownedEnd || found.end <= block.ownedStart) continue;
    add({
      type,
      score: scoreIn(field, found),
      field: field.field,
      ...(field.contextIndex === undefined ? {} : { contextIndex: field.contextIndex }),
      start: found.start,
      end: found.end,
      reason: found.rule,
    });
  }
}

function scoreIn({ field }: PreparedField, { rule, score }: ScoredCluster): number {
  return field === 'context' && rule === STEERING_RULE ? strengthen(score, OUT_OF_PLACE) : score;
}

function scanBlock(block: TextBlock, type: InjectionType): ScoredCluster[] {
  const found: ScoredCluster[] = [];
  for (const text of eachText(block)) {
    for (const view of viewsFor(text, type)) {
      for (const cluster of DETECTORS[type](view.text)) {
        if (cluster.score < MIN_SCORE) continue;
        found.push({ ...cluster, ...view.range(cluster.start, cluster.end) });
      }
    }
  }
  return found;
}

function viewsFor(text: PreparedText, type: InjectionType): TextView[] {
  const hidden = type === 'prompt_injection' ? text.deobfuscated : undefined;
  return hidden === undefined ? [text.folded] : [text.folded, hidden];
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
