import type { ChainLink, ChainPlace } from '@probity/core/internal';

/**
 * What an organization's chain has for each record, and for each amendment of one. Its hash covers the
 * record by two digests, so that the node proves the record while it is kept and stays when retention
 * removes it.
 */
export interface NewEvidenceNode {
  /** UUID (version 7): the id of the record, or of the amendment. */
  readonly id: string;
  readonly organizationId: string;
  /** The id of the record whose AI system and labels this node replaces; null for the node of a record. */
  readonly amends: string | null;
  /** Unique in the organization, also after the removal of the record; null for amendments. */
  readonly idempotencyKey: string | null;
  /** SHA-256, in hex, of what never changes in a record; empty for amendments. */
  readonly contentHash: string;
  /** SHA-256, in hex, of the AI system, labels and obligations of the record from this node on. */
  readonly linksHash: string;
  /** Not before that of the node before. */
  readonly createdAt: Date;
}

/** A node at its place of the chain. */
export interface EvidenceNode extends NewEvidenceNode, ChainLink {}

/** What is sealed of the end of a chain. */
export interface SealedEnd extends ChainPlace {
  readonly removedThrough: number;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  /** The first node that was appended with a seal. */
  readonly sealedFrom: number;
  /** The node that was appended when the seal of the end before it was invalid; null when all were valid. */
  readonly brokenAt: number | null;
}

/** The end of an organization's chain. */
export interface EvidenceHead extends ChainPlace {
  readonly organizationId: string;
  /** Records up to this sequence were removed by retention; 0 when none was. */
  readonly removedThrough: number;
  /** When the last node was recorded. */
  readonly recordedAt: Date;
  /** A {@link SealedEnd}, sealed for the organization; null where the process had no encryption key. */
  readonly sealed: string | null;
}
