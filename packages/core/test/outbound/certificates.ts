import { generate } from 'selfsigned';

/** A certificate and its key in PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of a test's own. */
export interface Authority {
  /** Certificate of the authority in PEM, for the `ca` option of the dialer. */
  readonly ca: string;
  /** A server certificate for the names and literal addresses, valid until `notAfter`. */
  issue(hosts: readonly string[], notAfter?: Date): Promise<Identity>;
}

const aDayMs = 24 * 60 * 60 * 1000;

/** Makes an authority with a fresh key. */
export async function createAuthority(): Promise<Authority> {
  const root = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // A clock that is set back during the tests does not matter.
    notBeforeDate: new Date(Date.now() - aDayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    ca: root.cert,
    async issue(hosts, notAfter = new Date(Date.now() + aDayMs)) {
      const leaf = await generate([{ name: 'commonName', value: 'Test receiver' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        notBeforeDate: new Date(notAfter.getTime() - 2 * aDayMs),
        notAfterDate: notAfter,
        extensions: [{ name: 'subjectAltName', altNames: hosts.map(toAltName) }],
        ca: { cert: root.cert, key: root.private },
      });
      return { cert: leaf.cert, key: leaf.private };
    },
  };
}

function toAltName(host: string): { type: 2; value: string } | { type: 7; ip: string } {
  return /^[\d.]+$|:/.test(host) ? { type: 7, ip: host } : { type: 2, value: host };
}
