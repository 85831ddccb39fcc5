import type { Page, PageOf } from '../paging.ts';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './types.ts';

/** Reads of the audit log. */
export interface AuditReads {
  /** Matching entries of an organization, newest first. */
  listAuditEntries(
    organizationId: string,
    filter: AuditFilter,
    page: Page,
  ): Promise<PageOf<AuditEntry>>;
  /** Up to `limit` entries of the chain behind `sequence`, oldest first. */
  readAuditChain(organizationId: string, sequence: number, limit: number): Promise<AuditEntry[]>;
  /** Sequence and hash of the last entry that retention removed; null when all are there. */
  findAuditCheckpoint(
    organizationId: string,
  ): Promise<Pick<AuditEntry, 'sequence' | 'hash'> | null>;
  /** Sequence and hash of the last entry recorded; null when there is none. */
  findAuditHead(organizationId: string): Promise<Pick<AuditEntry, 'sequence' | 'hash'> | null>;
}

/** Changes of the audit log: there is only one. */
export interface AuditWrites {
  /**
   * Appends the entry to its organization's chain. Appends to one chain wait for each other until
   * their transactions end.
   */
  recordAudit(entry: NewAuditEntry): Promise<void>;
}
