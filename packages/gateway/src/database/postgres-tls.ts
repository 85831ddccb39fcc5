import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { GatewayConfig } from '../config/read-config.ts';

/** TLS of a connection; false for none. */
export type TlsMode = false | ConnectionOptions;

/** A URL without its TLS parameters, and the ways to connect in the order in which they are tried. */
export interface ConnectionWays {
  readonly url: string;
  readonly modes: readonly TlsMode[];
}

/**
 * The ways that `database.ssl_mode` allows, with the meaning of libpq: `require` encrypts and does not check the
 * certificate. A URL with `sslmode=verify-full` or `verify-ca` checks it as well, against `sslrootcert` where it
 * is there; every other `sslmode` of a URL gives way to the key.
 *
 * @throws Error of the system when `sslrootcert` cannot be read
 */
export function connectionWays(
  given: string,
  sslMode: GatewayConfig['database']['ssl_mode'],
): ConnectionWays {
  const url = new URL(given);
  const asked = url.searchParams.get('sslmode') ?? '';
  const root = url.searchParams.get('sslrootcert');
  for (const name of ['sslmode', 'sslrootcert', 'ssl']) url.searchParams.delete(name);
  const tls: ConnectionOptions = asked.startsWith('verify-')
    ? {
        rejectUnauthorized: true,
        ...(root && { ca: readFileSync(root) }),
        ...(asked === 'verify-ca' && { checkServerIdentity: () => undefined }),
      }
    : { rejectUnauthorized: false };
  return { url: url.href, modes: MODES[sslMode](tls) };
}

const MODES: Readonly<
  Record<GatewayConfig['database']['ssl_mode'], (tls: ConnectionOptions) => TlsMode[]>
> = {
  require: (tls) => [tls],
  prefer: (tls) => [tls, false],
  allow: (tls) => [false, tls],
  disable: () => [false],
};

const NO_TLS = 'does not support SSL';

/** The error of a connection, with the key that lets the gateway connect to a server without TLS. */
export function withTlsRemedy(error: unknown): unknown {
  const { message } = error as Error;
  if (!String(message).includes(NO_TLS)) return error;
  const remedy = 'database.ssl_mode: prefer connects without encryption then';
  return new Error(`${message}; ${remedy}`, { cause: error });
}

/** Whether a server has refused the way a connection was made, so that another may work. */
export function isRefusedMode(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  // 28000: pg_hba.conf has no entry for connections with, or without, encryption.
  return code === '28000' || String(message).includes(NO_TLS);
}
