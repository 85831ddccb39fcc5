import type { Storage, TransactionOf } from '@probity/core';
import type { AiSystemReads, AiSystemWrites } from './ai-systems/storage.ts';
import type { ChainReads, ChainWrites } from './chain/storage.ts';
import type { EvidenceReads, EvidenceWrites } from './records/storage.ts';
import type { RunReads } from './trend/storage.ts';

/** Read operations of the storage. */
export type StorageReads = AiSystemReads & EvidenceReads & ChainReads & RunReads;
/** Write operations of the storage. */
export type StorageWrites = AiSystemWrites & EvidenceWrites & ChainWrites;

/**
 * Storage of AI systems, evidence records and their chains. Deleting an organization deletes all of
 * them.
 */
export type EvidenceStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type EvidenceTransaction = TransactionOf<EvidenceStorage>;
