import type { Applicable } from '@probity/governance';
import type { Pipeline, PolicyRule } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import type { StagePlan } from './stage-plan.ts';

/** The id of the policy that the configuration describes. */
export const GATEWAY_POLICY_ID = 'pol_gateway';

/** The policy of a configuration, and the same for callers that ask for redacted texts. */
export interface GatewayPolicies {
  readonly blocking: readonly Applicable[];
  /** Personal data is redacted and does not block, nor what else the configuration has redacted with it. */
  readonly redacting: readonly Applicable[];
}

/** Makes the policies: from its threshold on a stage blocks, and every weaker finding flags. */
export function createPolicies(plan: readonly StagePlan[], pipeline: Pipeline): GatewayPolicies {
  const enabled = plan.filter((stage) => stage.enabled);
  return {
    blocking: [toApplicable(enabled.flatMap(rulesOf), pipeline)],
    redacting: [
      toApplicable(
        enabled.flatMap((stage): PolicyRule[] =>
          stage.isRedacted ? [{ stage: stage.name, action: 'redact' }] : rulesOf(stage),
        ),
        pipeline,
      ),
    ],
  };
}

function rulesOf({ name, threshold }: StagePlan): PolicyRule[] {
  // What the knowledge base supports is a finding of these stages, too.
  const isTruth = name === 'truth_scan' || name === 'output_truth_scanner';
  const about = { stage: name, ...(isTruth && { types: ['contradicted'] }) };
  const flag: PolicyRule = { ...about, action: 'flag' };
  return threshold === null ? [flag] : [{ ...about, threshold, action: 'block' }, flag];
}

function toApplicable(rules: readonly PolicyRule[], pipeline: Pipeline): Applicable {
  const given = { id: GATEWAY_POLICY_ID, name: 'Configuration of the gateway', rules };
  const [policy] = parsePolicies([given], { pipeline });
  if (policy === undefined) throw new Error('a policy is parsed into a policy');
  return { id: GATEWAY_POLICY_ID, version: 1, mode: 'enforce', policy };
}
