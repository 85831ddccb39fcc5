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

const JUDGE_DEFAULTS: JudgeLimits = { from: 0.2, to: 0.95, maxClaims: 8, parallel: 4 };

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
    new Set(Object.keys(JUDGE_DEFAULTS)),
  );
  const limits = {
    from: checkFraction(`${path}.from`, given.from ?? JUDGE_DEFAULTS.from),
    to: checkFraction(`${path}.to`, given.to ?? JUDGE_DEFAULTS.to),
    maxClaims: checkCount(
      `${path}.maxClaims`,
      given.maxClaims ?? JUDGE_DEFAULTS.maxClaims,
      0,
      1_000,
    ),
    parallel: checkCount(`${path}.parallel`, given.parallel ?? JUDGE_DEFAULTS.parallel, 1, 64),
  };
  if (limits.from <= limits.to) return limits;
  throw new PipelineConfigError(`${path}.to`, 'must not be below from');
}

/** Which claims of a scan an embedder is asked about, and what its cosines mean. */
export interface EmbeddingLimits {
  /** The cosine from which two sentences are about the same; differs from model to model. */
  readonly sameFrom: number;
  readonly maxClaims: number;
}

/** The option `embeddings` of a truth stage: by default a cosine of 0.75, and 32 claims a scan. */
export type EmbeddingOptions = { readonly [Name in keyof EmbeddingLimits]?: number | undefined };

const EMBEDDING_DEFAULTS: EmbeddingLimits = { sameFrom: 0.75, maxClaims: 32 };

/**
 * Checks a truth stage's option `embeddings` (`sameFrom`, `maxClaims`).
 *
 * @param option undefined for the defaults
 * @throws PipelineConfigError naming the option at fault
 */
export function checkEmbeddingOptions(option: unknown, path: string): EmbeddingLimits {
  const known = new Set(Object.keys(EMBEDDING_DEFAULTS));
  const given = checkRecord(path, option === undefined ? {} : option, known);
  const maxClaims = given.maxClaims ?? EMBEDDING_DEFAULTS.maxClaims;
  return {
    sameFrom: checkFraction(`${path}.sameFrom`, given.sameFrom ?? EMBEDDING_DEFAULTS.sameFrom),
    maxClaims: checkCount(`${path}.maxClaims`, maxClaims, 0, 1_000),
  };
}

/** How much of a scan a classifier is shown. */
export interface ClassifierLimits {
  /** The windows of a scan that are shown to the classifier. */
  readonly maxWindows: number;
  /** UTF-16 units of a window. */
  readonly windowLength: number;
}

/** UTF-16 units that a window shares with the one before it. */
export const OVERLAP = 200;
const CLASSIFIER_DEFAULTS: ClassifierLimits = { maxWindows: 16, windowLength: 1_200 };

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
    new Set(Object.keys(CLASSIFIER_DEFAULTS)),
  );
  const { maxWindows, windowLength } = { ...CLASSIFIER_DEFAULTS, ...given };
  return {
    maxWindows: checkCount(`${path}.maxWindows`, maxWindows, 0, 10_000),
    windowLength: checkCount(`${path}.windowLength`, windowLength, 4 * OVERLAP, 100_000),
  };
}
