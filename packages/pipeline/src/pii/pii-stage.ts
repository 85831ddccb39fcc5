import { checkRecord, checkSwitches } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { PiiType } from '../risk.ts';
import { PII_RISK } from '../risk.ts';
import type { Stage, StageContext } from '../types.ts';
import { compileExceptions } from './exceptions.ts';

const TYPES = Object.keys(PII_RISK) as PiiType[];
/** The detectors and the metadata of libphonenumber take longer to load than the rest of the package. */
const withScan = lazily(() => import('./pii-scan.ts'));

/**
 * Makes the stage `pii_scanner`: personal data in prompt, response and context. Its score is the
 * combined risk.
 *
 * Options: `patterns`, an object of switches by type, each on by default; `exceptions`, a list of
 * values or expressions to ignore (see compileExceptions).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createPiiStage(options: Readonly<Record<string, unknown>>, path: string): Stage {
  checkRecord(path, options, new Set(['patterns', 'exceptions']));
  const enabled = checkSwitches(`${path}.patterns`, options.patterns, TYPES);
  const isExempt = compileExceptions(`${path}.exceptions`, options.exceptions ?? []);
  return Object.freeze({
    name: 'pii_scanner',
    targets: ['prompt', 'response', 'context'],
    load: () => withScan(() => undefined),
    run: (context: StageContext) => withScan(({ scanPii }) => scanPii(context, enabled, isExempt)),
  } satisfies Stage);
}
