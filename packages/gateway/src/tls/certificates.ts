import type { ServerCredentials } from '@grpc/grpc-js';
import { experimental } from '@grpc/grpc-js';
import type { TlsMaterial } from './material.ts';

/** The certificates in force. */
export interface Certificates {
  current(): TlsMaterial;
  /** Replaces them: connections to come use the new ones, open ones go on. */
  use(material: TlsMaterial): void;
  /** Calls `listener` at each replacement. */
  onChange(listener: (material: TlsMaterial) => void): void;
}

/** Holds certificates that reloads replace. */
export function createCertificates(first: TlsMaterial): Certificates {
  let current = first;
  const listeners: ((material: TlsMaterial) => void)[] = [];
  return {
    current: () => current,
    use(material) {
      current = material;
      for (const listener of listeners) listener(material);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

type Provider = experimental.CertificateProvider;

/** Credentials of a gRPC server that demand a client certificate. */
export function toServerCredentials(certificates: Certificates): ServerCredentials {
  const authority = new Set<experimental.CaCertificateUpdateListener>();
  const identity = new Set<experimental.IdentityCertificateUpdateListener>();
  const tellAuthority = (listener: experimental.CaCertificateUpdateListener) =>
    listener({ caCertificate: certificates.current().ca });
  const tellIdentity = (listener: experimental.IdentityCertificateUpdateListener) => {
    const { cert, key } = certificates.current();
    listener({ certificate: cert, privateKey: key });
  };
  const provider: Provider = {
    addCaCertificateListener(listener) {
      authority.add(listener);
      // Not at once: the server hears of what the credentials are told only after they listen.
      process.nextTick(tellAuthority, listener);
    },
    removeCaCertificateListener: (listener) => void authority.delete(listener),
    addIdentityCertificateListener(listener) {
      identity.add(listener);
      process.nextTick(tellIdentity, listener);
    },
    removeIdentityCertificateListener: (listener) => void identity.delete(listener),
  };
  certificates.onChange(() => {
    authority.forEach(tellAuthority);
    identity.forEach(tellIdentity);
  });
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}
