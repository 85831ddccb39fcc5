import { isIP } from 'node:net';
import { once } from './once.ts';

/** A server certificate for 127.0.0.1, ::1 and localhost, with the authority that signed it. */
export interface TestCertificate {
  /** Private key of the server, PEM. */
  readonly key: string;
  /** Certificate of the server, PEM. */
  readonly certificate: string;
  /** Certificate of the authority, PEM: what clients must trust. */
  readonly authority: string;
}

const DAY_MS = 86_400_000;

/** Starts a day before its end or before now, so that setting the clock back during the tests does not matter. */
const validity = (notAfter?: Date) => ({
  keyType: 'ec' as const,
  algorithm: 'sha256',
  notBeforeDate: new Date((notAfter?.getTime() ?? Date.now()) - DAY_MS),
  ...(notAfter ? { notAfterDate: notAfter } : {}),
});

/** Facts of a certificate that differ from the usual ones. */
interface IssueOptions {
  /** Names and literal addresses of the server; default 127.0.0.1, ::1 and localhost. */
  readonly hosts?: readonly string[];
  /** End of validity; default in a year. */
  readonly notAfter?: Date;
}

/** An authority that signs certificates for tests. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /** A certificate of a server, which clients may present as well. */
  issue(name: string, options?: IssueOptions): Promise<Omit<TestCertificate, 'authority'>>;
  /** An authority whose certificate this one signs. */
  issueAuthority(): Promise<TestAuthority>;
}

/** Makes an authority of its own. */
export function createTestAuthority(name = 'Probity test authority'): Promise<TestAuthority> {
  return createAuthority(name);
}

interface Signer {
  readonly key: string;
  readonly cert: string;
}

async function createAuthority(name: string, ca?: Signer): Promise<TestAuthority> {
  // Loading it takes 100 ms, and most processes of tests need no certificate.
  const { generate } = await import('selfsigned');
  const authority = await generate([{ name: 'commonName', value: name }], {
    ...validity(),
    ...(ca ? { ca } : {}),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const signer = { key: authority.private, cert: authority.cert };
  return {
    certificate: authority.cert,
    async issue(name, { hosts = ['localhost', '127.0.0.1', '::1'], notAfter } = {}) {
      const issued = await generate([{ name: 'commonName', value: name }], {
        ...validity(notAfter),
        ca: signer,
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          { name: 'subjectAltName', altNames: hosts.map(toAltName) },
        ],
      });
      return { key: issued.private, certificate: issued.cert };
    },
    issueAuthority: () => createAuthority('Probity test intermediate authority', signer),
  };
}

function toAltName(host: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
}

/** The authority of this process, created at the first call. */
export const testAuthority: () => Promise<TestAuthority> = once(() => createTestAuthority());

/** The certificate of this process, created at the first call. */
export const testCertificate: () => Promise<TestCertificate> = once(async () => {
  const authority = await testAuthority();
  return { ...(await authority.issue('localhost')), authority: authority.certificate };
});
