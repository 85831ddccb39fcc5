import type { Page, PageOf } from '@probity/core';
import type { EvidenceHead, EvidenceNode } from '../chain/types.ts';
import type { Evidence, EvidenceFilter, EvidenceGroup } from './types.ts';

/** Reads of records. */
export interface EvidenceReads {
  /** The organization's records that match `filter`, newest first: by descending sequence. */
  listEvidence(
    organizationId: string,
    filter: EvidenceFilter,
    page: Page,
  ): Promise<PageOf<Evidence>>;
  /** Null when the organization has no such record. */
  findEvidence(organizationId: string, id: string): Promise<Evidence | null>;
  /** The records at these places of the chain that are kept, in no particular order. */
  findEvidenceAt(organizationId: string, sequences: readonly number[]): Promise<Evidence[]>;
  /** Up to `limit` kept records after `sequence` that match `filter`, oldest first. */
  readEvidence(
    organizationId: string,
    filter: EvidenceFilter,
    sequence: number,
    limit: number,
  ): Promise<Evidence[]>;
  /** Groups the organization's records, or an AI system's, by AI system and set of obligations, in no particular order. */
  groupEvidence(organizationId: string, aiSystemId?: string): Promise<EvidenceGroup[]>;
  /** Those of the keys that the organization's chain has. */
  findEvidenceKeys(organizationId: string, keys: readonly string[]): Promise<string[]>;
  /** The kept records with these keys, in no particular order. */
  findEvidenceByKeys(organizationId: string, keys: readonly string[]): Promise<Evidence[]>;
  /** Whether a kept record refers to the AI system. */
  hasEvidenceOf(organizationId: string, aiSystemId: string): Promise<boolean>;
}

/** Writes of records. The caller holds the organization's lock; the head's row is replaced. */
export interface EvidenceWrites {
  /**
   * Appends records with their nodes, in the order of the chain.
   * @param head the end of the chain after them
   */
  appendEvidence(
    entries: ReadonlyArray<{ readonly node: EvidenceNode; readonly record: Evidence }>,
    head: EvidenceHead,
  ): Promise<void>;
  /** Appends the node of an amendment and stores the record's AI system, labels and `amendment`. */
  amendEvidence(node: EvidenceNode, record: Evidence, head: EvidenceHead): Promise<void>;
  /** Removes the records up to `head.removedThrough`, which stands in the head, and keeps their nodes. */
  removeEvidence(head: EvidenceHead): Promise<void>;
}
