import type { Pipeline, PipelineDependencies } from '@probity/pipeline';
import { createPipeline, createScanPool } from '@probity/pipeline';
import type { GatewayConfig } from '../config/read-config.ts';
import { hashConfig } from '../config/read-config.ts';
import type { PlatformRules } from '../platform/rules.ts';
import { hashWith, NO_RULES, strictConfig, toApplicables } from '../platform/rules.ts';
import type { Allowlists } from './allowlists.ts';
import { createAllowlists } from './allowlists.ts';
import { toPipelineConfig } from './pipeline-config.ts';
import type { GatewayPolicies } from './policy.ts';
import { createPolicies } from './policy.ts';
import { createStageChoices } from './stage-choices.ts';
import type { StagePlan } from './stage-plan.ts';
import { planStages } from './stage-plan.ts';

/**
 * Everything that one configuration decides on scans. Immutable: a reload makes another one and swaps the
 * reference, and a scan ends under the one with which it began.
 */
export interface GatewaySnapshot {
  readonly config: GatewayConfig;
  /** Names the configuration in answers, metrics and logs. */
  readonly hash: string;
  readonly loadedAt: Date;
  /** All stages of the configuration in order, those that are off included. */
  readonly stages: readonly StagePlan[];
  readonly pipeline: Pipeline;
  /** The pipeline with some of its stages, for callers that ask for no more; made once for each choice. */
  pipelineOf(names: readonly string[]): Pipeline;
  readonly policies: GatewayPolicies;
  readonly allowlists: Allowlists;
}

/**
 * Long texts are scanned in one thread, which is started by the first of them: the listeners answer meanwhile. It ends
 * when it has nothing to do, also that of a configuration that is no longer in force.
 */
const THREAD = { threads: 1, from: 32_768, idleMs: 30_000 } as const;

/** What a snapshot is made of beside the configuration. */
export interface SnapshotParts {
  readonly now: Date;
  /** What the platform decides; default nothing. */
  readonly platform?: PlatformRules | undefined;
  /** Replaces parts of the pipeline. */
  readonly pipeline?: PipelineDependencies | undefined;
}

/**
 * Makes a snapshot. Stages are made and checked; what they load is loaded by `pipeline.preload`.
 *
 * @throws PipelineConfigError naming an option at fault
 */
export function createSnapshot(config: GatewayConfig, parts: SnapshotParts): GatewaySnapshot {
  const { now, platform = NO_RULES } = parts;
  const strict = strictConfig(config, platform);
  const stages = planStages(strict);
  const configured = toPipelineConfig(strict, stages);
  // What replaces parts of the pipeline are functions, which no thread can be given.
  const pipeline =
    parts.pipeline === undefined
      ? createScanPool({
          ...THREAD,
          config: configured,
          // Stages end themselves at their time-outs, but for code that never comes to look.
          stuckMs: Math.max(1, ...stages.map(({ timeoutMs }) => timeoutMs)),
        })
      : createPipeline(configured, parts.pipeline);
  return Object.freeze({
    config,
    hash: hashWith(hashConfig(config), platform),
    loadedAt: now,
    stages: Object.freeze(stages),
    pipeline,
    pipelineOf: createStageChoices(configured, parts.pipeline),
    policies: withPlatform(createPolicies(planStages(config), pipeline), platform, pipeline),
    allowlists: createAllowlists(strict),
  });
}

/** All policies apply, and the strictest action wins: neither side can allow what the other refuses. */
function withPlatform(
  { blocking, redacting }: GatewayPolicies,
  rules: PlatformRules,
  pipeline: Pipeline,
): GatewayPolicies {
  const further = toApplicables(rules, pipeline);
  return { blocking: [...blocking, ...further], redacting: [...redacting, ...further] };
}
