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

/** Starts a day ago, so that setting the clock back during the tests does not matter. */
const validity = () => ({
  keyType: 'ec' as const,
  algorithm: 'sha256',
  notBeforeDate: new Date(Date.now() - DAY_MS),
});

/** An authority that signs certificates for tests. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /** A certificate for 127.0.0.1, ::1 and localhost, which clients may present as well. */
  issue(name: string): Promise<Omit<TestCertificate, 'authority'>>;
}

/** Makes an authority of its own. */
export async function createTestAuthority(): Promise<TestAuthority> {
  // Loading it takes 100 ms, and most processes of tests need no certificate.
  const { generate } = await import('selfsigned');
  const authority = await generate([{ name: 'commonName', value: 'Probity test authority' }], {
    ...validity(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return {
    certificate: authority.cert,
    async issue(name) {
      const issued = await generate([{ name: 'commonName', value: name }], {
        ...validity(),
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: 'localhost' },
              { type: 7, ip: '127.0.0.1' },
              { type: 7, ip: '::1' },
            ],
          },
        ],
      });
      return { key: issued.private, certificate: issued.cert };
    },
  };
}

/** The certificate of this process, created at the first call. */
export const testCertificate: () => Promise<TestCertificate> = once(async () => {
  const authority = await createTestAuthority();
  return { ...(await authority.issue('localhost')), authority: authority.certificate };
});
