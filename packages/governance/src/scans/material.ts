import type { Logger } from '@probity/core';
import type { Pipeline, ScanMaterial } from '@probity/pipeline';
import type { ProtectedTextSets } from '../protected-texts/sets.ts';
import { definitionsOf } from './record.ts';

/** A statement that an organization takes for true. */
export interface KnowledgeStatement {
  /** Findings name it as `nuggetId`. */
  readonly id: string;
  readonly claim: string;
}

/**
 * Finds statements of organizations, for the truth stages; the `KnowledgeSearch` of `@probity/knowledge` is one. An
 * error fails the stage, and what it has not examined is flagged.
 */
export interface KnowledgeSource {
  /** For each text, at most 200, the statements of the organization nearest to it, at most `count`. */
  nearest(
    organizationId: string,
    texts: readonly string[],
    options: { readonly count: number; readonly signal?: AbortSignal | undefined },
  ): Promise<ReadonlyArray<ReadonlyArray<{ readonly nugget: KnowledgeStatement }>>>;
}

/** What scans of an organization compare with. */
export interface ScanMaterials {
  /** The scan of the pipeline with the knowledge and the protected texts of an organization. */
  scanOf(organizationId: string): Promise<Pipeline['scan']>;
}

/** Statements that a claim is held against. */
const CANDIDATES = 16;
const TRUTH_STAGES: readonly string[] = ['truth_scan', 'output_truth_scanner'];

/** Dependencies of {@link createScanMaterials}. */
export interface ScanMaterialOptions {
  readonly pipeline: Pipeline;
  readonly protectedTexts: ProtectedTextSets;
  readonly knowledge?: KnowledgeSource | undefined;
}

/** Looks up only what the stages of the pipeline use. */
export function createScanMaterials(
  { logger }: { readonly logger: Logger },
  { pipeline, protectedTexts, knowledge }: ScanMaterialOptions,
): ScanMaterials {
  const names = definitionsOf(pipeline).map(({ name }) => name);
  const source = names.some((name) => TRUTH_STAGES.includes(name)) ? knowledge : undefined;
  const isProtecting = names.includes('contamination_check');

  function knowledgeOf(
    organizationId: string,
    from: KnowledgeSource,
  ): NonNullable<ScanMaterial['knowledge']> {
    return async (texts, signal) => {
      try {
        const found = await from.nearest(organizationId, texts, { count: CANDIDATES, signal });
        return found.flatMap((each) => each.map(({ nugget: { id, claim } }) => ({ id, claim })));
      } catch (error) {
        // The stage says only that it failed.
        if (!signal.aborted) {
          logger.warn('The knowledge of an organization was not found', { organizationId, error });
        }
        throw error;
      }
    };
  }

  return {
    async scanOf(organizationId) {
      const material: ScanMaterial = {
        ...(source ? { knowledge: knowledgeOf(organizationId, source) } : {}),
        ...(isProtecting ? { protectedTexts: await protectedTexts.current(organizationId) } : {}),
      };
      if (!source && !material.protectedTexts) return pipeline.scan;
      return (input, options) => pipeline.scan(input, { ...options, material });
    },
  };
}
