import type { GatewayConfig } from '../config/read-config.ts';
import { FURTHER_THRESHOLD } from '../config/stage-keys.ts';
import type { GatewayStageName } from '../config/stage-names.ts';

/** A stage as the configuration has it, whether it runs or not. */
export interface StagePlan {
  readonly name: GatewayStageName;
  readonly enabled: boolean;
  readonly failOpen: boolean;
  readonly timeoutMs: number;
  /** From which score it blocks; null where it only flags. */
  readonly threshold: number | null;
  /** Whether what it finds is replaced, and does not block, where a caller asks for redacted texts. */
  readonly isRedacted: boolean;
}

type Thresholds = GatewayConfig['scanning']['thresholds'];

/** The key of `scanning.thresholds` for each stage, or the threshold of one that has none there. */
const THRESHOLD_KEYS: Readonly<Record<GatewayStageName, keyof Thresholds | number | null>> = {
  truth_scan: 'hallucination_score',
  pii_scanner: 'pii_risk',
  injection_scanner: 'injection_score',
  toxicity_scanner: 'toxicity_score',
  contamination_check: null,
  hallucination_detector: 'hallucination_score',
  output_truth_scanner: 'hallucination_score',
  secrets_scanner: FURTHER_THRESHOLD,
  terms_scanner: FURTHER_THRESHOLD,
};

/** The stages that need the vectors of the knowledge base. */
const TRUTH_STAGES: ReadonlySet<GatewayStageName> = new Set(['truth_scan', 'output_truth_scanner']);

const DEFAULT_TIMEOUT_MS = 10_000;

/** The stages in the order of the configuration, with what is set for each in any place. */
export function planStages({
  scanning,
  stage_config,
  server,
  embeddings,
}: GatewayConfig): StagePlan[] {
  return scanning.stages.map(({ name, enabled, threshold }) => {
    const options = stage_config[name];
    const key = THRESHOLD_KEYS[name];
    const shared = typeof key === 'string' ? scanning.thresholds[key] : key;
    const flagsAlone = 'action' in options && options.action === 'flag';
    const isOn = name !== 'injection_scanner' || stage_config.injection_scanner.enabled;
    return {
      name,
      enabled: enabled && isOn,
      failOpen: options.fail_open && (embeddings.fail_open || !TRUTH_STAGES.has(name)),
      timeoutMs: options.timeout_ms ?? Math.min(DEFAULT_TIMEOUT_MS, server.request_timeout_ms),
      threshold: flagsAlone ? null : (options.threshold ?? threshold ?? shared),
      isRedacted: name === 'pii_scanner' || ('redact' in options && options.redact),
    };
  });
}
