import type { CallContext, Page, PageOf, Runtime, SecretBox } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { DAY_MS, validate } from '@probity/core/internal';
import type { JsonWebKeySet, SigningKeys } from '../signing-keys/signing-keys.ts';
import type { KnowledgeBase } from '../verification/types.ts';
import { revocationInput } from './input.ts';
import { hashOf, signCertificate } from './jws.ts';
import type { CertificateStorage } from './storage.ts';
import type { Certificate, CertificateFilter, NuggetVersion, Revocation } from './types.ts';

/** What became of a nugget since it supported a certificate. */
export type SupportState = 'current' | 'changed' | 'deleted';

/** A certificate with what became of its support. */
export interface CertificateDetail {
  readonly certificate: Certificate;
  readonly support: ReadonlyArray<NuggetVersion & { readonly state: SupportState }>;
}

/** What is certified: a content that was held against the knowledge base already. */
export interface NewCertificate {
  readonly content: string;
  readonly nuggets: readonly NuggetVersion[];
  readonly expiresInDays: number;
}

/** Certificates of organizations. */
export interface Certificates {
  /**
   * Signs and stores a certificate; the caller has found that the knowledge base supports every claim.
   * @throws ProbityError `unavailable` when the signing key is rotated again and again meanwhile
   */
  issue(context: CallContext, secretBox: SecretBox, input: NewCertificate): Promise<Certificate>;
  /** Those that match the filter, newest first. */
  list(context: CallContext, filter: CertificateFilter, page: Page): Promise<PageOf<Certificate>>;
  /** @throws ProbityError `not_found` when the organization has no such certificate */
  get(context: CallContext, id: string): Promise<CertificateDetail>;
  /**
   * Revokes a certificate, for good.
   * @throws ProbityError `not_found`, `validation_failed` naming `reason`, `conflict` when it is revoked already
   */
  revoke(
    context: CallContext,
    id: string,
    input: { readonly reason: string },
  ): Promise<Certificate>;
  /** A certificate of any organization, for everyone. @throws ProbityError `not_found` */
  findPublic(id: string): Promise<Certificate>;
  /** The public keys of the certificates. */
  keySet(): Promise<JsonWebKeySet>;
}

/** Dependencies of the service beside a runtime. */
export interface CertificateOptions {
  readonly storage: CertificateStorage;
  readonly signingKeys: SigningKeys;
  readonly knowledge: KnowledgeBase;
  /** Base of the public addresses. */
  readonly trustUrl: () => string;
}

/** A key that was rotated between signature and storage is replaced so often. */
const ATTEMPTS = 5;

/** Creates the certificate service. */
export function createCertificates(runtime: Runtime, options: CertificateOptions): Certificates {
  const { storage, signingKeys, knowledge } = options;
  return {
    issue: (context, secretBox, input) => issue(runtime, options, context, { secretBox, input }),
    revoke: (context, id, input) => revoke(runtime, options, context, { id, ...input }),
    keySet: signingKeys.keySet,

    list: ({ principal }, filter, page) =>
      storage.listCertificates(principal.organizationId, filter, page, runtime.clock.now()),

    async get(context, id) {
      const found = await storage.findCertificate(context.principal.organizationId, id);
      if (!found) throw notFound('certificate');
      const ids = found.nuggets.map((nugget) => nugget.id);
      const present = await knowledge.versions(context, ids);
      const support = found.nuggets.map((nugget) => ({
        ...nugget,
        state: stateIn(present, nugget),
      }));
      return { certificate: found, support };
    },

    async findPublic(id) {
      const found = await storage.findPublicCertificate(id);
      if (!found) throw notFound('certificate');
      return found;
    },
  };
}

function stateIn(
  present: ReadonlyMap<string, number>,
  { id, version }: NuggetVersion,
): SupportState {
  const now = present.get(id);
  if (now === undefined) return 'deleted';
  return now === version ? 'current' : 'changed';
}

async function issue(
  { audit, clock, emit, ids, tenants }: Runtime,
  { storage, signingKeys, trustUrl }: CertificateOptions,
  context: CallContext,
  { secretBox, input }: { readonly secretBox: SecretBox; readonly input: NewCertificate },
): Promise<Certificate> {
  const { organizationId, memberId } = context.principal;
  const { content, nuggets, expiresInDays } = input;
  await tenants?.ensure(organizationId, context);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const signer = await signingKeys.signer(secretBox);
    // Numeric dates of the JWS are whole seconds.
    const issuedAt = new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000);
    const facts = {
      ...{ id: ids.next('crt'), organizationId, contentHash: hashOf(content), nuggets },
      ...{ issuedAt, expiresAt: new Date(issuedAt.getTime() + expiresInDays * DAY_MS) },
    };
    const jws = await signCertificate(facts, signer, trustUrl());
    const keyId = signer.keyId;
    const certificate: Certificate = { ...facts, memberId, keyId, jws, revocation: null };
    const isStored = await storage.transaction(context, async (tx) => {
      // Another instance may have been the first, or have rotated the key.
      if (signer.made) await tx.insertSigningKey(signer.made);
      if ((await tx.findSigningKey())?.id !== keyId) return false;
      await tx.insertCertificate(certificate);
      const after = auditFieldsOf(certificate);
      await audit.record(tx, context, 'certificate.issued', targetOf(certificate.id), { after });
      await emit(tx, context, 'certification.issued', {
        certificationId: certificate.id,
        contentHash: certificate.contentHash,
        issuedAt: issuedAt.toISOString(),
        expiresAt: certificate.expiresAt.toISOString(),
      });
      return true;
    });
    if (isStored) return certificate;
  }
  throw new ProbityError('unavailable', 'The signing key is being rotated; try again.');
}

async function revoke(
  { audit, clock, emit }: Runtime,
  { storage }: CertificateOptions,
  context: CallContext,
  { id, ...given }: { readonly id: string; readonly reason: string },
): Promise<Certificate> {
  const { reason } = validate(revocationInput, given, 'input');
  const { organizationId, memberId } = context.principal;
  return storage.transaction(context, async (tx) => {
    const certificate = await tx.findCertificate(organizationId, id);
    if (!certificate) throw notFound('certificate');
    const revocation: Revocation = { at: clock.now(), reason, memberId };
    if (!(await tx.revokeCertificate(organizationId, id, revocation))) {
      throw new ProbityError('conflict', 'The certificate is revoked already.');
    }
    await audit.record(tx, context, 'certificate.revoked', targetOf(id), {
      before: { revokedAt: null },
      after: { revokedAt: revocation.at.toISOString(), reason },
    });
    await emit(tx, context, 'certification.revoked', { certificationId: id, reason });
    return { ...certificate, revocation };
  });
}

/** The fields of a certificate in the audit log. */
function auditFieldsOf({ contentHash, keyId, nuggets, expiresAt }: Certificate) {
  const named = nuggets.map(({ id, version }) => ({ id, version }));
  return { contentHash, keyId, nuggets: named, expiresAt: expiresAt.toISOString() };
}

function targetOf(id: string) {
  return { type: 'certificate', id };
}
