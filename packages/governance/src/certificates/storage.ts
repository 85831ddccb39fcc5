import type { Page, PageOf, Storage, TransactionOf } from '@probity/core';
import type { SigningKeyReads, SigningKeyWrites } from '../signing-keys/storage.ts';
import type { Certificate, CertificateFilter, Revocation } from './types.ts';

/** Reads of certificates. */
export interface CertificateReads {
  /** Null when the organization has no such certificate. */
  findCertificate(organizationId: string, id: string): Promise<Certificate | null>;
  /** The certificate of any organization that was not removed: ids are public and cannot be guessed. */
  findPublicCertificate(id: string): Promise<Certificate | null>;
  /**
   * The organization's certificates that match the filter, newest first, ties by descending id.
   * @param now the time at which they are in the state that the filter asks for
   */
  listCertificates(
    organizationId: string,
    filter: CertificateFilter,
    page: Page,
    now: Date,
  ): Promise<PageOf<Certificate>>;
}

/** Writes of certificates. */
export interface CertificateWrites {
  insertCertificate(certificate: Certificate): Promise<void>;
  /**
   * Of several callers exactly one revokes. Returns false when the organization has no such certificate, or it is
   * revoked already.
   */
  revokeCertificate(organizationId: string, id: string, revocation: Revocation): Promise<boolean>;
}

/** Storage of certificates, which are deleted with their organization, and of the keys that sign them. */
export type CertificateStorage = Storage<
  CertificateReads & SigningKeyReads,
  CertificateWrites & SigningKeyWrites
>;

/** The operations within a transaction of the storage. */
export type CertificateTransaction = TransactionOf<CertificateStorage>;
