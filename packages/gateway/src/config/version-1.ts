import type { Issue, KeyPath } from './issues.ts';
import { errorAt, warningAt } from './issues.ts';
import type { ConfigurationValues } from './schema.ts';
import type { YamlTree } from './yaml-tree.ts';

/** A configuration without the keys of version 1. */
export interface Upgraded {
  readonly values: ConfigurationValues;
  readonly issues: readonly Issue[];
}

const STAGES: KeyPath = ['scanning', 'stages'];
const THRESHOLD: KeyPath = ['stage_config', 'pii_scanner', 'threshold'];

/** Moves what version 1 had at the top level to where it is now; what contradicts is an error. */
export function upgradeVersion1(values: ConfigurationValues, tree: YamlTree): Upgraded {
  const { pii_detection: detection, pii_threshold: threshold } = values;
  const issues: Issue[] = [];
  const deprecate = (name: string, instead: string) =>
    issues.push(
      warningAt(tree.keyPlaceOf([name]), [name], `deprecated (version 1); use ${instead}`),
    );
  const contradict = (name: string, other: string) =>
    issues.push(errorAt(tree.placeOf([name]), [name], `contradicts ${other}; remove one of them`));
  let upgraded = values;
  if (detection !== undefined) {
    deprecate('pii_detection', 'scanning.stages[].enabled of pii_scanner');
    const listed = values.scanning.stages.find(({ name }) => name === 'pii_scanner');
    if (tree.has(STAGES) && (listed?.enabled ?? false) !== detection) {
      contradict('pii_detection', 'scanning.stages');
    } else upgraded = withPiiScanner(upgraded, detection);
  }
  if (threshold !== undefined) {
    deprecate('pii_threshold', 'stage_config.pii_scanner.threshold');
    const present = values.stage_config.pii_scanner.threshold;
    if (present !== undefined && present !== threshold) {
      contradict('pii_threshold', 'stage_config.pii_scanner.threshold');
    } else if (
      tree.has(['scanning', 'thresholds', 'pii_risk']) &&
      values.scanning.thresholds.pii_risk !== threshold
    ) {
      contradict('pii_threshold', 'scanning.thresholds.pii_risk');
    } else upgraded = withThreshold(upgraded, threshold);
  }
  return { values: upgraded, issues };
}

function withPiiScanner(values: ConfigurationValues, enabled: boolean): ConfigurationValues {
  const stages = values.scanning.stages.map((stage) =>
    stage.name === 'pii_scanner' ? { ...stage, enabled } : stage,
  );
  return { ...values, scanning: { ...values.scanning, stages } };
}

function withThreshold(values: ConfigurationValues, threshold: number): ConfigurationValues {
  const [section, stage] = THRESHOLD as ['stage_config', 'pii_scanner'];
  const config = values[section];
  return { ...values, stage_config: { ...config, [stage]: { ...config[stage], threshold } } };
}
