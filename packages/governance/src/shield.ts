import type { Clock, Runtime } from '@probity/core';
import type { CertificateAddresses } from './certificates/addresses.ts';
import { createAddresses } from './certificates/addresses.ts';
import type { Certificates } from './certificates/certificates.ts';
import { createCertificates } from './certificates/certificates.ts';
import type { CertificateStorage } from './certificates/storage.ts';
import type { SigningKeys } from './signing-keys/signing-keys.ts';
import { createSigningKeys } from './signing-keys/signing-keys.ts';
import type { KnowledgeBase } from './verification/types.ts';
import type { Verifications } from './verification/verifications.ts';
import { createVerifications } from './verification/verifications.ts';

/** Verification of texts against the knowledge base, and certificates. */
export interface Shield {
  readonly verifications: Verifications;
  readonly certificates: Certificates;
  readonly signingKeys: SigningKeys;
  /** Where everyone finds certificates. */
  readonly addresses: CertificateAddresses;
  /** By which certificates expire. */
  readonly clock: Pick<Clock, 'now'>;
}

/** Dependencies of {@link Shield} beside a runtime; certificates need its secret box. */
export interface ShieldOptions {
  readonly storage: CertificateStorage;
  readonly knowledge: KnowledgeBase;
  /** Base of the public addresses of certificates, without a slash at the end; also their issuer. */
  readonly trustUrl: () => string;
  /** Path of the general API below it; default `/api/v1`. */
  readonly apiPath?: string | undefined;
}

/** Creates the services of verification and certificates. */
export function createShield(runtime: Runtime, options: ShieldOptions): Shield {
  const { storage, knowledge, trustUrl, apiPath = '/api/v1' } = options;
  const { clock } = runtime;
  const signingKeys = createSigningKeys({ storage, clock });
  const certificates = createCertificates(runtime, { storage, signingKeys, knowledge, trustUrl });
  return {
    verifications: createVerifications(runtime, { knowledge, certificates }),
    certificates,
    signingKeys,
    addresses: createAddresses(trustUrl, apiPath),
    clock,
  };
}
