import { createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { GatewayConfig } from '../config/read-config.ts';

/** What TLS presents and trusts, PEM. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The authorities of client certificates. */
  readonly ca: Buffer;
}

/** The keys of the configuration that name its files. */
export type TlsKey = 'client_cert_path' | 'client_key_path' | 'ca_cert_path';

/** What is wrong with a file, or worth saying. */
interface TlsFault {
  readonly severity: 'error' | 'warning';
  readonly key: TlsKey;
  readonly message: string;
}

/** What the files of a configuration hold. */
export interface ReadTls {
  /** Null where there is an error, or no file is named. */
  readonly material: TlsMaterial | null;
  readonly faults: readonly TlsFault[];
}

/**
 * The same where `security.mtls_enabled` is on; otherwise null.
 *
 * @throws Error naming the key of the configuration whose file is at fault
 */
export function loadTlsMaterial({ security }: GatewayConfig, now: Date): TlsMaterial | null {
  if (!security.mtls_enabled) return null;
  const { material, faults } = readTlsMaterial(security, now);
  const fault = faults.find(({ severity }) => severity === 'error');
  if (fault) throw new Error(`security.${fault.key}: ${fault.message}`);
  return material;
}

/** Permissions that a key file may have: its owner writes, its group reads. */
const KEY_MODE = 0o640;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Reads and checks the files of `security`: that each holds what it should, and that the key is that of the
 * certificate.
 *
 * @param now certificates that do not hold at this time get a warning
 */
export function readTlsMaterial(
  paths: Pick<GatewayConfig['security'], TlsKey>,
  now: Date,
): ReadTls {
  const { client_cert_path: certPath, client_key_path: keyPath, ca_cert_path: caPath } = paths;
  if (certPath === undefined || keyPath === undefined || caPath === undefined) {
    return { material: null, faults: [] };
  }
  const faults: TlsFault[] = [];
  const add = (severity: TlsFault['severity'], key: TlsKey, message: string) =>
    faults.push({ severity, key, message });
  const read = (key: TlsKey, path: string): Buffer | null => {
    try {
      return readFileSync(path);
    } catch (error) {
      add('error', key, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return null;
    }
  };
  const cert = read('client_cert_path', certPath);
  const key = read('client_key_path', keyPath);
  const ca = read('ca_cert_path', caPath);
  for (const [name, pem] of [['client_cert_path', cert] as const, ['ca_cert_path', ca] as const]) {
    if (pem === null) continue;
    const fault = certificateFault(pem, now);
    if (fault) add(fault.severity, name, fault.message);
  }
  if (key && (statSync(keyPath).mode & 0o777 & ~KEY_MODE) !== 0) {
    add('warning', 'client_key_path', `${keyPath} may be read by others; its mode should be 0640`);
  }
  if (cert && key && !hasError(faults, 'client_cert_path')) {
    const message = pairFault(cert, key);
    if (message) add('error', 'client_key_path', message);
  }
  const isWhole = cert && key && ca && !faults.some(({ severity }) => severity === 'error');
  return { material: isWhole ? { cert, key, ca } : null, faults };
}

function hasError(faults: readonly TlsFault[], of: TlsKey): boolean {
  return faults.some(({ severity, key }) => severity === 'error' && key === of);
}

function certificateFault(pem: Buffer, now: Date): Omit<TlsFault, 'key'> | null {
  const blocks = pem.toString('latin1').match(CERTIFICATES) ?? [];
  if (blocks.length === 0) return { severity: 'error', message: 'holds no certificate (PEM)' };
  try {
    const outdated = blocks
      .map((block) => new X509Certificate(block))
      .find(({ validFrom, validTo }) => new Date(validFrom) > now || new Date(validTo) < now);
    if (outdated === undefined) return null;
    const { validFrom, validTo } = outdated;
    return { severity: 'warning', message: `holds from ${validFrom} to ${validTo} only` };
  } catch {
    return { severity: 'error', message: 'holds a certificate that cannot be read' };
  }
}

/** What OpenSSL says may show parts of a key; it is not told. */
function pairFault(cert: Buffer, key: Buffer): string | null {
  try {
    createPublicKey(key);
  } catch {
    return 'holds no private key (PEM) without a passphrase';
  }
  try {
    if (!new X509Certificate(cert).publicKey.equals(createPublicKey(key))) {
      return 'is not the key of the certificate of security.client_cert_path';
    }
    createSecureContext({ cert, key });
    return null;
  } catch {
    return 'cannot be used with the certificate of security.client_cert_path';
  }
}
