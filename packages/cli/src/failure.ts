import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** A failure whose message tells the person at the terminal what is wrong and what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A wrong option, setting or input file. */
export function usageFailure(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure(EXIT.usage, message, cause === undefined ? {} : { cause });
}

/** Codes of a certificate whose authority is not known. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);
const TRUST_REMEDY = 'name the file of your own authority in NODE_EXTRA_CA_CERTS';

/** What the system says in a word or two, without the path that the caller names. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a directory',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the device',
  };
  const reason = reasons[code ?? ''] ?? message;
  return UNTRUSTED.has(code ?? '') ? `${reason}; ${TRUST_REMEDY}` : reason;
}

const SECRETS = [
  /\b(pbk_|ppt_|whsec_|scim_)[\w+/=-]+/g,
  /\b(Bearer\s+)[^\s'",[]+/gi,
  /(\/\/)[^/\s@]+(?=@)/g,
];

/**
 * The text without keys: those that are given, and all that look like one.
 * @param keys secrets that were used, such as a key of a host's own form
 */
export function maskSecrets(text: string, keys: readonly (string | undefined)[] = []): string {
  const known = keys.filter((key) => key !== undefined && key.length >= 8) as string[];
  const without = known.reduce((rest, key) => rest.replaceAll(key, '***'), text);
  return SECRETS.reduce((rest, form) => rest.replace(form, '$1***'), without);
}
