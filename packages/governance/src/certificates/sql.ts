import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import {
  compares,
  countChanges,
  equalityPaths,
  insertMany,
  listPath,
  pageOfPaths,
  toDate,
} from '@probity/core/sql';
import { sql } from 'kysely';
import { createSqlSigningKeyReads, createSqlSigningKeyWrites } from '../signing-keys/sql.ts';
import type { SigningKeyReads, SigningKeyWrites } from '../signing-keys/storage.ts';
import type { CertificateReads, CertificateStorage, CertificateWrites } from './storage.ts';
import type { Certificate, CertificateFilter, CertificateState, NuggetVersion } from './types.ts';

/** Times are milliseconds since 1970. */
interface CertificateRow {
  id: string;
  organization_id: string;
  member_id: string;
  content_hash: string;
  key_id: string;
  jws: string;
  /** JSON of a list of `NuggetVersion`. */
  nuggets: string;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
  revocation_reason: string | null;
  revoked_by: string | null;
}

/** What a certificate is found by besides its own columns: one row for each nugget. */
interface NuggetRow {
  organization_id: string;
  nugget_id: string;
  /** That of the certificate, so that the rows are in the order of lists. */
  issued_at: number;
  certificate_id: string;
}

interface CertificateTables {
  probity_certificates: CertificateRow;
  probity_certificate_nuggets: NuggetRow;
  probity_tenants: { id: string; removed_at: number | null };
}

/** The storage of certificates and signing keys on SQLite and PostgreSQL. */
export function createSqlCertificateStorage(database: SqlDatabase): CertificateStorage {
  return bindStorage<
    SqlSession,
    CertificateReads & SigningKeyReads,
    CertificateWrites & SigningKeyWrites
  >(database, (session) => ({
    ...createCertificateReads(session),
    ...createCertificateWrites(session),
    ...createSqlSigningKeyReads(session),
    ...createSqlSigningKeyWrites(session),
  }));
}

function createCertificateReads(session: SqlSession): CertificateReads {
  const byId = (id: string) =>
    session
      .kysely<CertificateTables>()
      .selectFrom('probity_certificates as c')
      .selectAll('c')
      .where('c.id', '=', id);
  return {
    async findCertificate(organizationId, id) {
      const row = await byId(id).where('c.organization_id', '=', organizationId).executeTakeFirst();
      return row ? toCertificate(row) : null;
    },
    async findPublicCertificate(id) {
      const row = await byId(id)
        .innerJoin('probity_tenants as t', 't.id', 'c.organization_id')
        .where('t.removed_at', 'is', null)
        .executeTakeFirst();
      return row ? toCertificate(row) : null;
    },
    listCertificates(organizationId, { nuggetId, ...filter }, page, now) {
      const paths =
        nuggetId === undefined
          ? pathsToAll(session, organizationId, filter, now)
          : [pathToSupported(session, organizationId, { nuggetId, ...filter }, now)];
      return pageOfPaths(paths, page, toCertificate);
    },
  };
}

function pathsToAll(
  session: SqlSession,
  organizationId: string,
  { contentHash, state }: CertificateFilter,
  now: Date,
) {
  const newest = session
    .kysely<CertificateTables>()
    .selectFrom('probity_certificates')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('issued_at', 'desc')
    .orderBy('id', 'desc');
  const others = state && isIn(state, now, '');
  return equalityPaths(newest, { content_hash: contentHash }, { others });
}

/** Found by the nugget, in the order of its rows. */
function pathToSupported(
  session: SqlSession,
  organizationId: string,
  { nuggetId, contentHash, state }: CertificateFilter & { readonly nuggetId: string },
  now: Date,
) {
  const walked = session
    .kysely<CertificateTables>()
    .selectFrom('probity_certificate_nuggets as nugget')
    .innerJoin('probity_certificates as certificate', 'certificate.id', 'nugget.certificate_id')
    .selectAll('certificate')
    .where('nugget.organization_id', '=', organizationId)
    .where('nugget.nugget_id', '=', nuggetId)
    .orderBy('nugget.issued_at', 'desc')
    .orderBy('nugget.certificate_id', 'desc');
  let matching = walked;
  if (contentHash !== undefined) {
    matching = matching.where(compares('certificate.content_hash', contentHash));
  }
  if (state !== undefined) matching = matching.where(isIn(state, now, 'certificate.'));
  return listPath(walked, matching);
}

/** As `stateOf` of a certificate says. */
function isIn(state: CertificateState, now: Date, prefix: '' | 'certificate.') {
  const revokedAt = sql.ref(`${prefix}revoked_at`);
  if (state === 'revoked') return sql<boolean>`${revokedAt} is not null`;
  const expiresAt = sql.ref(`${prefix}expires_at`);
  const time = now.getTime();
  return state === 'valid'
    ? sql<boolean>`${revokedAt} is null and ${expiresAt} > ${time}`
    : sql<boolean>`${revokedAt} is null and ${expiresAt} <= ${time}`;
}

function createCertificateWrites(session: SqlSession): CertificateWrites {
  const db = () => session.kysely<CertificateTables>();
  return {
    async insertCertificate(certificate) {
      await db().insertInto('probity_certificates').values(toRow(certificate)).execute();
      await insertMany(session, 'probity_certificate_nuggets', toNuggetRows(certificate));
    },
    async revokeCertificate(organizationId, id, { at, reason, memberId }) {
      const revocation = db()
        .updateTable('probity_certificates')
        .set({ revoked_at: at.getTime(), revocation_reason: reason, revoked_by: memberId })
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null);
      return (await countChanges(revocation)) > 0;
    },
  };
}

function toRow(certificate: Certificate): CertificateRow {
  const { revocation } = certificate;
  return {
    id: certificate.id,
    organization_id: certificate.organizationId,
    member_id: certificate.memberId,
    content_hash: certificate.contentHash,
    key_id: certificate.keyId,
    jws: certificate.jws,
    nuggets: JSON.stringify(certificate.nuggets),
    issued_at: certificate.issuedAt.getTime(),
    expires_at: certificate.expiresAt.getTime(),
    revoked_at: revocation?.at.getTime() ?? null,
    revocation_reason: revocation?.reason ?? null,
    revoked_by: revocation?.memberId ?? null,
  };
}

function toNuggetRows({ id, organizationId, nuggets, issuedAt }: Certificate): NuggetRow[] {
  return nuggets.map((nugget) => ({
    organization_id: organizationId,
    nugget_id: nugget.id,
    issued_at: issuedAt.getTime(),
    certificate_id: id,
  }));
}

function toCertificate(row: CertificateRow): Certificate {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    contentHash: row.content_hash,
    keyId: row.key_id,
    jws: row.jws,
    nuggets: JSON.parse(row.nuggets) as NuggetVersion[],
    issuedAt: toDate(row.issued_at),
    expiresAt: toDate(row.expires_at),
    revocation: row.revoked_at === null ? null : toRevocation({ ...row, at: row.revoked_at }),
  };
}

function toRevocation(row: CertificateRow & { readonly at: number }) {
  return {
    at: toDate(row.at),
    reason: row.revocation_reason ?? '',
    memberId: row.revoked_by ?? '',
  };
}
