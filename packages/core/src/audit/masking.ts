import type { AuditFields } from './types.ts';

const SECRET_NAME = /secret|password|token|hash|otp|authorization|(?:api|private)_?key$/i;
const MASK = '***';

/** Returns the fields with `***` in place of every value whose name marks it as a secret. */
export function maskSecrets(fields: AuditFields | null): AuditFields | null {
  return fields && (mask(fields) as AuditFields);
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      each !== null && SECRET_NAME.test(name) ? MASK : mask(each),
    ]),
  );
}
