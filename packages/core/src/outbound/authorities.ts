import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Lists the authorities to trust, PEM: the public ones of Node, `own`, and the file of NODE_EXTRA_CA_CERTS, which Node
 * ignores for a connection with authorities given.
 * @param extraFile path of the file; Node itself warns at its start when it cannot be read
 */
export function trustedAuthorities(
  own: readonly string[],
  extraFile: string | undefined,
): string[] {
  const extra = readCertificates(extraFile).filter((pem) => !isPublic(pem));
  return [...rootCertificates, ...extra, ...own];
}

let publicKeys: ReadonlySet<string> | undefined;

/** Whether Node has the certificate already: a bundle of a system repeats them all, in lines of another length. */
function isPublic(pem: string): boolean {
  publicKeys ??= new Set(rootCertificates.map(withoutSpace));
  return publicKeys.has(withoutSpace(pem));
}

function withoutSpace(pem: string): string {
  return pem.replace(/\s/g, '');
}

function readCertificates(file: string | undefined): readonly string[] {
  if (!file) return [];
  try {
    return readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
  } catch {
    return [];
  }
}
