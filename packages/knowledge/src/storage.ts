import type { Storage, TransactionOf } from '@probity/core';
import type { CorrectionReads, CorrectionWrites } from './corrections/storage.ts';
import type { ImportReads, ImportWrites } from './imports/record-storage.ts';
import type { NuggetReads, NuggetWrites } from './nuggets/storage.ts';

/** Read operations of the storage. */
export type StorageReads = NuggetReads & CorrectionReads & ImportReads;
/** Write operations of the storage. */
export type StorageWrites = NuggetWrites & CorrectionWrites & ImportWrites;

/** Storage of knowledge bases. Deleting an organization deletes its knowledge base. */
export type KnowledgeStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type KnowledgeTransaction = TransactionOf<KnowledgeStorage>;
