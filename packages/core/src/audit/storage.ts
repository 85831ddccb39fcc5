import type { ChainPlace } from '../crypto/hash-chain.ts';
import type { Page, PageOf } from '../paging.ts';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './types.ts';

/** Reads of the audit log. */
export interface AuditReads {
  /** Matching entries of an organization, newest first by time, then by sequence. */
  listAuditEntries(
    organizationId: string,
    filter: AuditFilter,
    page: Page,
  ): Promise<PageOf<AuditEntry>>;
  /** Up to `limit` entries of the chain after `sequence`, oldest first. */
  readAuditChain(organizationId: string, sequence: number, limit: number): Promise<AuditEntry[]>;
  /** Sequence and hash of the last entry that retention removed; null when none was removed. */
  findAuditCheckpoint(organizationId: string): Promise<ChainPlace | null>;
  /** Sequence and hash of the last entry recorded; null when there is none. */
  findAuditHead(organizationId: string): Promise<ChainPlace | null>;
  /**
   * Up to `limit` organizations with ids after `after`, by id, whose oldest remaining entry was
   * recorded before `before`.
   */
  listOldAudits(before: Date, after: string, limit: number): Promise<string[]>;
}

/** Writes of the audit log: entries are appended at its end and removed from its start. */
export interface AuditWrites {
  /**
   * Appends the entry to its organization's chain. Appends to one chain wait for each other until
   * their transactions end.
   */
  recordAudit(entry: NewAuditEntry): Promise<void>;
  /**
   * Removes the entries of an organization up to this one and makes it the checkpoint. The caller
   * holds the organization's lock and has verified the entries.
   */
  trimAudit(organizationId: string, last: ChainPlace): Promise<void>;
}
