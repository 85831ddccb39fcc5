/** The error, or one that says what to install when a package is missing. */
export function nameMissing(cause: unknown, name: string, purpose: string): unknown {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const isMissing =
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') &&
    String(message).includes(`'${name}'`);
  if (!isMissing) return cause;
  return new Error(`${purpose} needs the package ${name}: npm install ${name}`, { cause });
}
