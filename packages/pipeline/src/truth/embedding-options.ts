import { checkRecord } from '../config.ts';
import { checkCount, checkFraction } from '../stage-options.ts';

/** Which claims of a scan an embedder is asked about, and what its cosines mean. */
export interface EmbeddingLimits {
  /** The cosine from which two sentences are about the same; differs from model to model. */
  readonly sameFrom: number;
  readonly maxClaims: number;
}

/** The option `embeddings` of a truth stage: by default a cosine of 0.75, and 32 claims a scan. */
export type EmbeddingOptions = { readonly [Name in keyof EmbeddingLimits]?: number | undefined };

const DEFAULTS: EmbeddingLimits = { sameFrom: 0.75, maxClaims: 32 };

/**
 * Checks a truth stage's option `embeddings` (`sameFrom`, `maxClaims`).
 *
 * @param option undefined for the defaults
 * @throws PipelineConfigError naming the option at fault
 */
export function checkEmbeddingOptions(option: unknown, path: string): EmbeddingLimits {
  const known = new Set(Object.keys(DEFAULTS));
  const given = checkRecord(path, option === undefined ? {} : option, known);
  const maxClaims = given.maxClaims ?? DEFAULTS.maxClaims;
  return {
    sameFrom: checkFraction(`${path}.sameFrom`, given.sameFrom ?? DEFAULTS.sameFrom),
    maxClaims: checkCount(`${path}.maxClaims`, maxClaims, 0, 1_000),
  };
}
