import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { checkCount, checkFraction } from '../stage-options.ts';

/** Which claims of a scan a judge is asked about. */
export interface JudgeLimits {
  /** The own score is left alone below `from` and above `to`. */
  readonly from: number;
  readonly to: number;
  readonly maxClaims: number;
  readonly parallel: number;
}

/** The option `judge` of a stage: by default claims from 0.2 to 0.95, 8 a scan, 4 at a time. */
export type JudgeOptions = { readonly [Name in keyof JudgeLimits]?: number | undefined };

const DEFAULTS: JudgeLimits = { from: 0.2, to: 0.95, maxClaims: 8, parallel: 4 };

/**
 * Checks a stage's option `judge` (`from`, `to`, `maxClaims`, `parallel`).
 *
 * @param option undefined for the defaults
 * @throws PipelineConfigError naming the option at fault
 */
export function checkJudgeOptions(option: unknown, path: string): JudgeLimits {
  const given = checkRecord(
    path,
    option === undefined ? {} : option,
    new Set(Object.keys(DEFAULTS)),
  );
  const limits = {
    from: checkFraction(`${path}.from`, given.from ?? DEFAULTS.from),
    to: checkFraction(`${path}.to`, given.to ?? DEFAULTS.to),
    maxClaims: checkCount(`${path}.maxClaims`, given.maxClaims ?? DEFAULTS.maxClaims, 0, 1_000),
    parallel: checkCount(`${path}.parallel`, given.parallel ?? DEFAULTS.parallel, 1, 64),
  };
  if (limits.from <= limits.to) return limits;
  throw new PipelineConfigError(`${path}.to`, 'must not be below from');
}
