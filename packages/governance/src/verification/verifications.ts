import type { CallContext, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { isPermitted, validate } from '@probity/core/internal';
import type { Certificates } from '../certificates/certificates.ts';
import { DEFAULT_EXPIRY_DAYS } from '../certificates/input.ts';
import type { Certificate } from '../certificates/types.ts';
import { missingKey } from '../missing-key.ts';
import type { CertificationRefusal } from './certifiable.ts';
import { nuggetsOf, refusalOf } from './certifiable.ts';
import { verificationInput } from './input.ts';
import type { KnowledgeBase, Verification } from './types.ts';

/** A text to hold against the knowledge base. */
export interface VerificationRequest {
  /** As it will be published: a certificate is about exactly these characters. */
  readonly content: string;
  /** Whether to certify it if every claim is supported; default false. */
  readonly certify?: boolean | undefined;
  /** Days until the certificate expires, 1 to 3,650; default 365. */
  readonly expiresInDays?: number | undefined;
}

/** What came of it. */
export interface VerificationOutcome {
  readonly verification: Verification;
  /** Null where none was asked for, or it was refused. */
  readonly certificate: Certificate | null;
  /** Why there is no certificate; null where there is one or none was asked for. */
  readonly refusal: CertificationRefusal | null;
}

/** Holds texts against knowledge bases, and certifies them. */
export interface Verifications {
  /**
   * Stores nothing but a certificate, which has the text's hash.
   * @throws ProbityError `validation_failed` with every bad field, or naming `certify` where no encryption key is there to
   *   seal a signing key; `forbidden` for `certify` of a caller whose role issues no certificates
   */
  verify(context: CallContext, request: VerificationRequest): Promise<VerificationOutcome>;
}

/** Dependencies of the service beside a runtime. */
export interface VerificationOptions {
  readonly knowledge: KnowledgeBase;
  readonly certificates: Certificates;
}

/** Creates the verification service. */
export function createVerifications(
  { secretBox }: Pick<Runtime, 'secretBox'>,
  { knowledge, certificates }: VerificationOptions,
): Verifications {
  return {
    async verify(context, request) {
      const input = validate(verificationInput, request, 'request');
      const { content, certify = false, expiresInDays = DEFAULT_EXPIRY_DAYS } = input;
      if (certify) requireIssuer(context);
      if (certify && !secretBox) throw missingKey('certify');
      const verification = await knowledge.verify(context, content, context.signal);
      if (!certify || !secretBox) return { verification, certificate: null, refusal: null };
      const refusal = refusalOf(content, verification);
      if (refusal) return { verification, certificate: null, refusal };
      const nuggets = nuggetsOf(verification);
      const issued = { content, nuggets, expiresInDays };
      const certificate = await certificates.issue(context, secretBox, issued);
      return { verification, certificate, refusal: null };
    },
  };
}

function requireIssuer({ principal }: CallContext): void {
  if (isPermitted(principal, 'certificates:write')) return;
  throw new ProbityError(
    'forbidden',
    'Certificates are issued by editors and above; without certify the text is verified only.',
  );
}
