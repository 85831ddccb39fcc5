import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
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
export async function createTlsFiles(t: TestLifetime, listen = LOOPBACK): Promise<TlsFiles> {
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
  const text = `${listen}security:
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

/** An answer by HTTPS. */
interface Call {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The name of the certificate that the gateway presented. */
  readonly presented: string;
}

/** Calls a URL by HTTPS, with the certificate of a client or without one. */
export function call(url: string, agent: Agent, body?: object, token?: string): Promise<Call> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const sent = request(url, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      const { CN } = (response.socket as TLSSocket).getPeerCertificate().subject;
      readText(response).then((text) => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, body: text, presented: String(CN) });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** One connection, which is kept; without an identity it shows no certificate. */
export function agentOf(ca: string, identity?: Identity): Agent {
  return new Agent({
    ...{ ca, keepAlive: true, maxSockets: 1 },
    ...(identity && { cert: identity.certificate, key: identity.key }),
  });
}
