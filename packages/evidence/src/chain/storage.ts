import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type { Evidence } from '../records/types.ts';
import type { EvaluationRun } from '../trend/types.ts';
import type { EvidenceHead, EvidenceNode } from './types.ts';

/** A node with what is stored of its record, read at one moment. */
export interface StoredNode extends EvidenceNode {
  /** The record of the node; null for amendments, and where it is not stored. */
  readonly record: Evidence | null;
  /** The node that last amended the record, by what verification needs; null when there is none. */
  readonly amendment: Pick<EvidenceNode, 'amends' | 'linksHash'> | null;
  /**
   * What the storage keeps of the record a second time, to find it by; null where it keeps nothing, and where the record
   * is not stored.
   */
  readonly index: RecordIndex | null;
  /** For an amendment, the `amendment` of the record that it amends; null where that is not stored. */
  readonly amended: { readonly amendment: number | null } | null;
}

/** What a storage has beside a record, to find the record by. */
export interface RecordIndex {
  /** Pairs of name and value, in no particular order; null where they cannot be read. */
  readonly labels: ReadonlyArray<readonly [name: string, value: string]> | null;
  /** Null where the record sums up no run. */
  readonly run: EvaluationRun | null;
}

/** Places of a chain, without an end where it is null; places before the first are those of no node. */
export interface PlaceRange {
  readonly after: number | null;
  readonly through: number | null;
}

/** An organization's chain, by its oldest record that is kept. */
export interface EvidenceExtent {
  readonly organizationId: string;
  /** When the oldest record that is kept was recorded; null when none is kept. */
  readonly oldestAt: Date | null;
}

/** Reads of the chains. */
export interface ChainReads {
  /** The end of the chain; null before the first record. */
  findEvidenceHead(organizationId: string): Promise<EvidenceHead | null>;
  /** Up to `limit` nodes after `sequence`, oldest first. */
  readEvidenceChain(organizationId: string, sequence: number, limit: number): Promise<StoredNode[]>;
  /**
   * The first place of a record that the chain has no node of, or of what a storage has to find a record by where there
   * is none; null when there is no such place. All of one moment.
   */
  findStrayEvidence(organizationId: string, places: PlaceRange): Promise<number | null>;
  /** The chains of up to `limit` organizations with ids after `after`, by id. */
  listEvidenceChains(after: string, limit: number): Promise<EvidenceExtent[]>;
  /** The sealed ends, by organization: see `SealedValues.list`. */
  listSealedEvidenceHeads(
    exceptKeyId: string,
    after: string,
    limit: number,
  ): Promise<SealedValue[]>;
}

/** Writes of the chains, besides those that append to them. */
export interface ChainWrites {
  /** Stores a resealed end if the organization's chain still has `from`. */
  replaceSealedEvidenceHead(value: ReplacedValue): Promise<void>;
}
