import type { PipelineConfig, StageConfig } from '@probity/pipeline';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayStageName } from '../config/scanning-keys.ts';
import type { StagePlan } from './stage-plan.ts';

/** A statement that is taken for true. */
export type KnownClaim = string | { readonly id: string; readonly claim: string };

/** The pipeline that a configuration describes. */
export function toPipelineConfig(
  config: GatewayConfig,
  plan: readonly StagePlan[],
): PipelineConfig {
  return {
    stages: plan
      .filter(({ enabled }) => enabled)
      .map(
        ({ name, failOpen, timeoutMs }): StageConfig => ({
          name,
          failOpen,
          timeoutMs,
          options: optionsOf(name, config),
        }),
      ),
  };
}

function optionsOf(
  name: GatewayStageName,
  { stage_config, allowlists }: GatewayConfig,
): Readonly<Record<string, unknown>> {
  switch (name) {
    case 'pii_scanner':
      return {
        patterns: stage_config.pii_scanner.patterns,
        exceptions: allowlists.pii_exceptions.patterns,
      };
    case 'injection_scanner':
      return { types: stage_config.injection_scanner.types };
    case 'toxicity_scanner':
      return {
        categories: stage_config.toxicity_scanner.categories,
        minScore: stage_config.toxicity_scanner.confidence_threshold,
      };
    case 'truth_scan':
    case 'output_truth_scanner':
      return { knowledge: [], similarityThreshold: stage_config[name].similarity_threshold };
    default:
      return {};
  }
}
