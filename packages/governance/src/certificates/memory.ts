import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { isPresent, owned, pageOf } from '@probity/core/internal';
import { createSigningKeyOperations } from '../signing-keys/memory.ts';
import type { SigningKeyReads, SigningKeyWrites } from '../signing-keys/storage.ts';
import { CERTIFICATES } from './memory-table.ts';
import type { CertificateReads, CertificateStorage, CertificateWrites } from './storage.ts';
import type { Certificate } from './types.ts';
import { stateOf } from './types.ts';

/** The storage of certificates and signing keys in memory. */
export function createMemoryCertificateStorage(
  database: Database<MemorySession>,
): CertificateStorage {
  return bindStorage<
    MemorySession,
    CertificateReads & SigningKeyReads,
    CertificateWrites & SigningKeyWrites
  >(database, (session) => ({
    ...createCertificateOperations(session),
    ...createSigningKeyOperations(session),
  }));
}

function createCertificateOperations(session: MemorySession): CertificateReads & CertificateWrites {
  const certificates = () => session.table(CERTIFICATES);
  return {
    async findCertificate(organizationId, id) {
      return owned(certificates(), organizationId, id);
    },
    async findPublicCertificate(id) {
      const certificate = certificates().get(id);
      return certificate && isPresent(session, certificate.organizationId) ? certificate : null;
    },
    async listCertificates(organizationId, { contentHash, nuggetId, state }, page, now) {
      const matching = certificates().filter(
        (certificate) =>
          certificate.organizationId === organizationId &&
          (contentHash === undefined || certificate.contentHash === contentHash) &&
          (nuggetId === undefined || certificate.nuggets.some(({ id }) => id === nuggetId)) &&
          (state === undefined || stateOf(certificate, now) === state),
      );
      return pageOf(matching, page, newestFirst);
    },
    async insertCertificate(certificate) {
      certificates().put(certificate.id, certificate);
    },
    async revokeCertificate(organizationId, id, revocation) {
      const certificate = owned(certificates(), organizationId, id);
      if (!certificate || certificate.revocation) return false;
      certificates().put(id, { ...certificate, revocation });
      return true;
    },
  };
}

function newestFirst(left: Certificate, right: Certificate): number {
  const byTime = right.issuedAt.getTime() - left.issuedAt.getTime();
  return byTime || (left.id < right.id ? 1 : -1);
}
