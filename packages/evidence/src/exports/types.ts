import type { CallContext } from '@probity/core';
import type { EvidenceNode } from '../chain/types.ts';
import type { Evidence, EvidenceFilter } from '../records/types.ts';

/** A node of the chain with what proves it. */
export interface ExportedNode {
  readonly node: EvidenceNode;
  /**
   * The record of the node, null where retention has removed it. Null for an amendment, unless it was made during
   * the export: then the record as it is after it, since an earlier node may have been exported with its former links.
   */
  readonly record: Evidence | null;
}

/**
 * Evidence of the caller's organization in the order of the chain. What is returned yields slices, each read when it is
 * asked for, and ends with the chain's end of the time of the call.
 */
export interface EvidenceExports {
  /** The records that match `filter`. */
  records(context: CallContext, filter: EvidenceFilter): Promise<AsyncIterable<Evidence[]>>;
  /** The names of the organization's AI systems, by id. */
  aiSystemNames(context: CallContext): Promise<ReadonlyMap<string, string>>;
  /**
   * The same as assessment results of OSCAL (JSON), in parts of the document; obligations without evidence have
   * findings with `hasAllFindings`.
   */
  assessmentResults(
    context: CallContext,
    filter: EvidenceFilter,
    options?: { readonly hasAllFindings?: boolean },
  ): Promise<AsyncIterable<string>>;
  /**
   * All nodes. It ends later than at the time of the call where the records in it were amended meanwhile.
   * @throws ProbityError (while it is read) `unavailable` when retention removes records that were still to come
   */
  chain(context: CallContext): Promise<AsyncIterable<ExportedNode[]>>;
}
