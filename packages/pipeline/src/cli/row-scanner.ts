import type { PipelineConfig, StageConfig, StageValue } from '../config.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Pipeline } from '../pipeline.ts';
import { createPipeline } from '../pipeline.ts';
import type { PolicyDecision } from '../policy.ts';
import { builtInPolicyRules, evaluatePolicies } from '../policy.ts';
import { parsePolicies } from '../policy-check.ts';
import type { DecidedFinding, Policy } from '../policy-types.ts';
import { resolveStages } from '../resolve-stages.ts';
import type { BackendSettings } from '../settings/backend-settings.ts';
import { createBackends } from '../settings/create-backends.ts';
import type { PipelineData } from '../settings/stage-modules.ts';
import { loadStageModules } from '../settings/stage-modules.ts';
import { similarity } from '../similarity.ts';
import type { StageDefinition } from '../stage-definition.ts';
import { BUILT_IN_STAGES, builtInStage, KNOWN_SCORES } from '../stages.ts';
import type { Finding, FindingGroup, ScanInput, ScanResult, StageName } from '../types.ts';
import { isFinished } from '../unfinished.ts';
import type { ScanRow } from './scan-row.ts';

/** The stage of this package that gives a score of a verdict. */
const SCANNERS: ReadonlyMap<string, StageDefinition> = new Map(
  [true, false].flatMap((isDefault) =>
    KNOWN_SCORES.flatMap((score) =>
      BUILT_IN_STAGES.filter(
        (stage) =>
          stage.score === score &&
          stage.isDefault === isDefault &&
          stage.reads.includes('response'),
      ).map((definition) => [score, readingTextAlone(definition)] as const),
    ),
  ),
);

/** Stages of this package that need no data, and are off unless they are listed or named. */
const FURTHER: readonly Scanner[] = BUILT_IN_STAGES.filter(
  ({ score, isDefault, lists }: StageDefinition) =>
    !isDefault && !SCANNERS.has(score) && lists === undefined,
).map((definition) => ({ definition }));

/** The scores that every verdict has. */
const SCORE_NAMES: readonly string[] = [...SCANNERS.keys()];

/** 0 to 1, higher is worse; null where the stage is off. */
type VerdictScores = Readonly<Record<string, number | null>> & {
  /** 0 to 1, how alike text and context are; only for the task `sts`. */
  readonly similarity?: number;
};

/** What was found in a row's text; offsets are UTF-16 units. Not cut at any threshold. */
interface VerdictFinding {
  readonly stage: StageName;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** In plain words, such as the vendor of a key. It never repeats the text. */
  readonly reason: string;
  /** Of truth findings: the index in the knowledge base. */
  readonly nugget?: number;
}

/** The answer to one row. */
export interface Verdict {
  readonly id: string | number;
  readonly scores: VerdictScores;
  readonly findings: readonly VerdictFinding[];
  /** By the policies; only with the option for verdicts. */
  readonly verdict?: PolicyDecision['verdict'];
  /** Why it is blocked; only with a verdict that says so. */
  readonly reason?: string;
  /** Which stages did not look at everything; absent where all did. */
  readonly error?: string;
}

/** The answer to one row, with the findings that its verdict is made from, whatever their score. */
export interface ScannedRow {
  readonly verdict: Verdict;
  readonly decided: readonly DecidedFinding[];
}

/** What rows are scanned with. */
export interface RowScannerConfig {
  /** Which scores to give, by their names or those of stages. Default: all that can be given. */
  readonly scores?: readonly string[];
  /** Stages with their options. A stage that an explicit list leaves out is off. */
  readonly pipeline?: PipelineData;
  /** Models that help the stages. Default: none. */
  readonly backends?: BackendSettings;
  /** What is known to be true, for `scores.truth`. */
  readonly knowledge?: readonly string[];
  /** What must not be repeated, for `scores.contamination`. */
  readonly protected?: readonly string[];
  /** What to judge by, unchecked. Default: the built-in policy. */
  readonly policies?: unknown;
  /** Whether to judge each text by the policies. Default: no. */
  readonly verdicts?: boolean;
  /** Findings below it are left out of the answers. Default 0. */
  readonly minScore?: number;
}

/** The configuration asks for a score that cannot be given. */
export class RowScannerError extends Error {
  override readonly name = 'RowScannerError';
}

/**
 * Makes the function that scans one row and gives its answer; see {@link createRowJudge}.
 *
 * @throws RowScannerError, PipelineConfigError when the configuration is wrong
 */
export function createRowScanner(config: RowScannerConfig): (row: ScanRow) => Promise<Verdict> {
  const judge = createRowJudge(config);
  return async (row) => (await judge(row)).verdict;
}

/**
 * Makes the function that scans one row: the text alone for personal data, injection, toxicity and
 * contamination; the text as a model's response, with prompt and context, for hallucination and truth.
 *
 * @param onBackendError called for each question that a back end failed to answer
 * @throws RowScannerError, PipelineConfigError when the configuration is wrong
 */
export function createRowJudge(
  config: RowScannerConfig,
  onBackendError: (error: unknown) => void = () => {},
): (row: ScanRow) => Promise<ScannedRow> {
  const given = loadStageModules(config.pipeline ?? {});
  resolveStages(given);
  const scanners = wantedScanners(config, given.stages);
  const backends = createBackends(config.backends ?? {});
  const pipeline = createPipeline(
    { ...given, stages: scanners.map((scanner) => uncut(scanner, config)) },
    { ...backends, onBackendError },
  );
  const decide = createDecision(pipeline, config.policies);
  const { minScore = 0, verdicts = false } = config;
  return async (row) => {
    const result = await pipeline.scan(toInput(row));
    const findings = result.findings.filter(isInText);
    const decision = verdicts ? decide(result, findings) : undefined;
    const { verdict, violation, findings: decided = [] } = decision ?? {};
    const answer = {
      id: row.id,
      scores: toScores(row, scanners, result, findings),
      findings: findings.filter(({ score }) => score >= minScore).map(toVerdictFinding),
      ...(verdict === undefined ? {} : { verdict }),
      ...(violation === undefined ? {} : { reason: violation.reason }),
      ...unfinishedOf(result),
    };
    return { verdict: answer, decided };
  };
}

/** Makes what a guard would say of the text: of what its stages report by default, not of all found here. */
function createDecision(pipeline: Pipeline, given: unknown) {
  const rules = builtInPolicyRules(pipeline);
  const builtIn: Policy = { id: 'pol_builtin', name: 'Built-in policy', rules };
  const policies = parsePolicies(given ?? [builtIn], { pipeline });
  const reportedFrom = new Map<StageName, number>(
    pipeline.definitions.map(({ name, commandLine }) => [name, commandLine?.reportedFrom ?? 0]),
  );
  const isReported = ({ stage, score }: Finding | FindingGroup) =>
    score >= (reportedFrom.get(stage) ?? 0);
  return (result: ScanResult, findings: readonly Finding[]): PolicyDecision => {
    const seen = findings.filter(isReported);
    const omitted = result.omitted.filter(isReported);
    return evaluatePolicies(policies, { ...result, findings: seen, omitted }, { response: '' });
  };
}

/** A stage that gives a score, with its entry in the configuration. */
interface Scanner {
  readonly definition: StageDefinition;
  readonly entry?: StageConfig | StageValue;
}

/** A stage that holds nothing against other fields scans the response alone, so that one scan serves all. */
function readingTextAlone(definition: StageDefinition): StageDefinition {
  return definition.compares ? definition : { ...definition, reads: ['response'] };
}

function wantedScanners(
  config: RowScannerConfig,
  stages: PipelineConfig['stages'],
): readonly Scanner[] {
  const entryOf = (name: string) => stages?.find((stage) => stage.name === name);
  const own = (stages ?? []).flatMap((entry): Scanner[] => {
    const definition = 'definition' in entry ? entry.definition : builtInStage(entry.name);
    const isFurther = definition !== undefined && !SCANNERS.has(definition.score);
    return isFurther ? [{ definition, entry }] : [];
  });
  const scanners = [...SCANNERS.values()].map((definition): Scanner => {
    const entry = entryOf(definition.name);
    return entry === undefined ? { definition } : { definition, entry };
  });
  const all = [...scanners, ...own];
  const isOn = ({ entry }: Scanner): boolean =>
    stages === undefined || (entry !== undefined && isEnabled(entry));
  const lacks = ({ definition: { commandLine }, entry }: Scanner): string | undefined => {
    const needed = commandLine?.requires;
    if (needed === undefined || listOf(config, needed) !== undefined) return undefined;
    return entry?.options?.[needed] === undefined ? needed : undefined;
  };
  if (config.scores === undefined) {
    return all.filter((scanner) => isOn(scanner) && lacks(scanner) === undefined);
  }
  const { scores } = config;
  const named = [
    ...all,
    ...FURTHER.filter(({ definition }) => entryOf(definition.name) === undefined),
  ];
  const wanted = scores.map((name) => {
    const scanner = findScanner(named, name);
    if (!isOn(scanner)) {
      throw new RowScannerError(`${name}: the stage is disabled in the configuration`);
    }
    if (lacks(scanner) === undefined) return scanner;
    throw new RowScannerError(`${name}: no knowledge base is configured`);
  });
  return named.filter((scanner) => wanted.includes(scanner));
}

function findScanner(scanners: readonly Scanner[], name: string): Scanner {
  const found = scanners.find(({ definition: { score, name: stage } }) =>
    [score, stage].includes(name),
  );
  if (found !== undefined) return found;
  const scores = scanners.map(({ definition }) => definition.score);
  const stages = scanners.map(({ definition }) => definition.name);
  const guess = didYouMean(name, [...scores, ...stages]);
  const message = `${JSON.stringify(name)} is not one of ${scores.join(', ')}.${guess}`;
  throw new RowScannerError(`--stages: ${message}`);
}

function isEnabled(entry: StageConfig | StageValue): boolean {
  return !('enabled' in entry) || entry.enabled !== false;
}

/** What the command line gives for an option that is a list. */
function listOf(config: RowScannerConfig, option: string): readonly string[] | undefined {
  if (option === 'knowledge') return config.knowledge;
  return option === 'protected' ? config.protected : undefined;
}

/** A stage that reports all it finds, with what it compares with. */
function uncut({ definition, entry }: Scanner, config: RowScannerConfig): StageValue {
  const { lists = [], commandLine, name } = definition;
  const given = lists.flatMap((option) => {
    const list = listOf(config, option);
    return list === undefined ? [] : [[option, list] as const];
  });
  const options = { ...Object.fromEntries(given), ...commandLine?.uncut, ...entry?.options };
  return { ...entry, name, definition, options };
}

/** The second sentence of an `sts` row is no source that the first should keep to. */
function toInput({ task, text, prompt, context }: ScanRow): ScanInput {
  return {
    response: text,
    ...(prompt === undefined ? {} : { prompt }),
    ...(context === undefined || task === 'sts' ? {} : { context: [context] }),
  };
}

function unfinishedOf({ stages }: ScanResult): { readonly error?: string } {
  const unfinished = stages.filter(({ status }) => !isFinished(status));
  if (unfinished.length === 0) return {};
  const names = unfinished.map(({ stage, status }) => `${stage} (${status})`);
  return { error: `not scanned to the end: ${names.join(', ')}` };
}

function isInText({ field }: Finding): boolean {
  return field === 'response';
}

function toScores(
  { task, text, context }: ScanRow,
  scanners: readonly Scanner[],
  result: ScanResult,
  findings: readonly Finding[],
): VerdictScores {
  const scores: Record<string, number | null> = Object.fromEntries(
    SCORE_NAMES.map((name) => [name, null]),
  );
  for (const { definition } of scanners) {
    const score = result.scores[definition.score] ?? null;
    // Here a combined risk gives way to how sure it is that there is any; the risk is for policies.
    const isRisk = definition.scoring === 'risk' && score !== null;
    const found = [...findings, ...result.omitted];
    scores[definition.score] = isRisk ? mostCertain(found, definition.name) : score;
  }
  if (task !== 'sts' || context === undefined) return scores;
  return { ...scores, similarity: similarity(text, context) };
}

function mostCertain(findings: readonly (Finding | FindingGroup)[], stage: StageName): number {
  return findings.reduce(
    (most, finding) => (finding.stage === stage ? Math.max(most, finding.score) : most),
    0,
  );
}

function toVerdictFinding(found: Finding): VerdictFinding {
  const { stage, type, start, end, score, reason, nugget } = found;
  return { stage, type, start, end, score, reason, ...(nugget === undefined ? {} : { nugget }) };
}
