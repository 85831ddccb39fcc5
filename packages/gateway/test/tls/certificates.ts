import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestAuthority, TestLifetime } from '@probity/test-support';
import { createTestAuthority, temporaryFolder } from '@probity/test-support';
import type { WorldOptions } from '../world.ts';
import { LOOPBACK, startGateway } from '../world.ts';

/** The certificate of a client. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

/** Files of a gateway that demands client certificates. */
export interface TlsFiles {
  readonly authority: TestAuthority;
  /** The configuration's text. */
  readonly text: string;
  readonly paths: { readonly cert: string; readonly key: string; readonly ca: string };
  /** A certificate of the authority that the gateway trusts. */
  client(name?: string): Promise<Identity>;
  /** Replaces the gateway's own certificate. */
  write(identity: Identity, authority?: TestAuthority): void;
}

/** Writes certificates of a fresh authority. */
export async function createTlsFiles(t: TestLifetime): Promise<TlsFiles> {
  const folder = temporaryFolder(t).path;
  const authority = await createTestAuthority();
  const paths = {
    cert: join(folder, 'gateway.pem'),
    key: join(folder, 'gateway.key'),
    ca: join(folder, 'ca.pem'),
  };
  const write = ({ key, certificate }: Identity, trusted = authority) => {
    writeFileSync(paths.cert, certificate);
    writeFileSync(paths.key, key, { mode: 0o600 });
    writeFileSync(paths.ca, trusted.certificate);
  };
  write(await authority.issue('first'));
  const text = `${LOOPBACK}security:
  mtls_enabled: true
  client_cert_path: ${paths.cert}
  client_key_path: ${paths.key}
  ca_cert_path: ${paths.ca}
`;
  return { authority, text, paths, write, client: (name = 'client') => authority.issue(name) };
}

/** Starts a gateway that demands client certificates. */
export async function startTlsGateway(t: TestLifetime, options: WorldOptions = {}) {
  const files = await createTlsFiles(t);
  return { files, gateway: await startGateway(t, files.text, options) };
}
