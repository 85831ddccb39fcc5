import type { PipelineConfig, StageConfig } from '@probity/pipeline';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayStageName } from '../config/stage-names.ts';
import { toTermLists, toTermPatterns } from '../config/stage-options.ts';
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
        types: Object.fromEntries(
          stage_config.pii_scanner.optional_types.map((type) => [type, true]),
        ),
        exceptions: allowlists.pii_exceptions.patterns,
      };
    case 'injection_scanner':
      return { types: stage_config.injection_scanner.types };
    case 'toxicity_scanner':
      return {
        categories: stage_config.toxicity_scanner.categories,
        minScore: stage_config.toxicity_scanner.confidence_threshold,
      };
    case 'contamination_check':
      return {
        protected: stage_config.contamination_check.protected_texts,
        canaries: stage_config.contamination_check.canaries,
      };
    case 'secrets_scanner':
      return {
        types: stage_config.secrets_scanner.types,
        exceptions: stage_config.secrets_scanner.exceptions,
        minScore: stage_config.secrets_scanner.confidence_threshold,
      };
    case 'terms_scanner':
      return {
        lists: toTermLists(stage_config.terms_scanner),
        patterns: toTermPatterns(stage_config.terms_scanner),
      };
    case 'truth_scan':
    case 'output_truth_scanner':
      return { knowledge: [], similarityThreshold: stage_config[name].similarity_threshold };
    case 'hallucination_detector':
      return {};
  }
}
