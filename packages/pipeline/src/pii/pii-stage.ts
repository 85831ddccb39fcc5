import { checkRecord, checkSwitches } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { PiiType } from '../risk.ts';
import { PII_RISK } from '../risk.ts';
import { checkStrings } from '../stage-options.ts';
import type { Stage, StageContext } from '../types.ts';
import { compileExceptions } from './exceptions.ts';
import { NATIONAL_ID_TYPES } from './national/national-types.ts';

const TYPES = Object.keys(PII_RISK) as PiiType[];
/** The detectors and the metadata of libphonenumber take longer to load than the rest of the package. */
const withScan = lazily(() => import('./pii-scan.ts'));

/**
 * Makes the stage `pii_scanner`: personal data in prompt, response and context. Its score is the
 * combined risk.
 *
 * Options: `types`, the types to find, by default the seven of the specification, where national
 * identifiers and `iban` are others; `patterns`, an object of switches by type, each on by default; `exceptions`, a list of
 * values or expressions to ignore (see compileExceptions).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createPiiStage(options: Readonly<Record<string, unknown>>, path: string): Stage {
  checkRecord(path, options, new Set(['types', 'patterns', 'exceptions']));
  const listed = checkTypes(`${path}.types`, options.types ?? TYPES);
  const switched = checkSwitches(`${path}.patterns`, options.patterns, TYPES);
  const enabled = new Set(TYPES.filter((type) => switched.has(type) && listed.has(type)));
  const isExempt = compileExceptions(`${path}.exceptions`, options.exceptions ?? []);
  return Object.freeze({
    name: 'pii_scanner',
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) =>
      withScan(({ scanPii }) => scanPii(context, enabled, isExempt, listed)),
  } satisfies Stage);
}

function checkTypes(path: string, types: unknown): ReadonlySet<string> {
  const known: readonly string[] = [...TYPES, ...NATIONAL_ID_TYPES];
  const listed = checkStrings(path, types);
  listed.forEach((type, index) => {
    if (known.includes(type)) return;
    const message = `unknown type "${type.slice(0, 40)}"; known are ${known.join(', ')}`;
    throw new PipelineConfigError(`${path}[${index}]`, message);
  });
  return new Set(listed);
}
