import { checkRecord } from '../config.ts';
import { checkCount } from '../stage-options.ts';

/** How much of a scan a classifier is shown. */
export interface ClassifierLimits {
  /** The windows of a scan that are shown to the classifier. */
  readonly maxWindows: number;
  /** UTF-16 units of a window. */
  readonly windowLength: number;
}

/** UTF-16 units that a window shares with the one before it. */
export const OVERLAP = 200;
const DEFAULTS: ClassifierLimits = { maxWindows: 16, windowLength: 1_200 };

/** The option `classifier` of a stage: by default 16 windows a scan of 1,200 UTF-16 units. */
export type ClassifierOptions = { readonly [Name in keyof ClassifierLimits]?: number | undefined };

/**
 * Checks a stage's option `classifier` (`maxWindows`, `windowLength`).
 *
 * @param option undefined for the defaults
 * @throws PipelineConfigError naming the option at fault
 */
export function checkClassifierOptions(option: unknown, path: string): ClassifierLimits {
  const given = checkRecord(
    path,
    option === undefined ? {} : option,
    new Set(Object.keys(DEFAULTS)),
  );
  const { maxWindows, windowLength } = { ...DEFAULTS, ...given };
  return {
    maxWindows: checkCount(`${path}.maxWindows`, maxWindows, 0, 10_000),
    windowLength: checkCount(`${path}.windowLength`, windowLength, 4 * OVERLAP, 100_000),
  };
}
