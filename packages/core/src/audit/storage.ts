import type { Page, PageOf } from '../paging.ts';
import type { ReplacedValue, SealedValue } from '../sealing/sealed-values.ts';
import type { AuditRegisterRow } from './register.ts';
import type { AuditCheckpoint, AuditHead, AuditSealer } from './seal.ts';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './types.ts';

/** An organization's audit log, by its oldest entry. */
interface AuditExtent {
  readonly organizationId: string;
  /** When the oldest entry that is left was recorded; null when none is left. */
  readonly oldestAt: Date | null;
}

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
  /** Place and mac of the last entry that retention removed; null when none was removed. */
  findAuditCheckpoint(organizationId: string): Promise<AuditCheckpoint | null>;
  /** Place and seal of the last entry recorded; null when there is none. */
  findAuditHead(organizationId: string): Promise<AuditHead | null>;
  /** The logs of up to `limit` organizations with ids after `after`, by id. */
  listAudits(after: string, limit: number): Promise<AuditExtent[]>;
  /** The register's row of an organization's log; null when the log was never sealed. */
  findAuditRecord(organizationId: string): Promise<AuditRegisterRow | null>;
  /** Up to `limit` rows of the register after the id `after`, by id. */
  listAuditRegister(after: string, limit: number): Promise<AuditRegisterRow[]>;
  /** The sealed rows of the register: see `SealedValues.list`. */
  listSealedAuditRecords(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
  /** The sealed keys of logs, by organization: see `SealedValues.list`. */
  listSealedAuditKeys(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Writes of the audit log: entries are appended at its end and removed from its start. */
export interface AuditWrites {
  /**
   * Appends the entry to its organization's chain. Appends to one chain wait for each other until
   * their transactions end. The sealer makes the seal of the log's new end from the former one;
   * without a sealer the log loses its seal. Where the head is missing, the entry follows the last one
   * that is left.
   *
   * @throws ProbityError `unavailable` when the key of a new seal is sealed under a retired key
   */
  recordAudit(entry: NewAuditEntry, sealer?: AuditSealer): Promise<void>;
  /**
   * Removes the entries of an organization up to this one and makes it the checkpoint. The caller
   * holds the organization's lock and has verified the entries.
   */
  trimAudit(organizationId: string, last: AuditCheckpoint): Promise<void>;
  /** Stores a resealed key if the log still has `from`. */
  replaceSealedAuditKey(value: ReplacedValue): Promise<void>;
  /** Stores a resealed row of the register if it still holds `from`. */
  replaceSealedAuditRecord(value: ReplacedValue): Promise<void>;
}
