import { validationError } from '@probity/core';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { normalizePassword } from './passwords.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 1_024;

/**
 * Checks a new password (NIST SP 800-63B, section 5.1.1.2: length and known bad values, no
 * composition rules).
 * @param field the field that errors name
 * @throws ProbityError `validation_failed`
 */
export function requireGoodPassword(
  password: string,
  email: string,
  field: 'password' | 'new_password' = 'password',
): void {
  const message = findFault(normalizePassword(password), email);
  if (message) throw validationError({ field, message });
}

function findFault(password: string, email: string): string | null {
  const { length } = [...password];
  if (length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const lower = password.toLowerCase();
  if (lower === normalizePassword(email).toLowerCase()) return 'must not be the e-mail address';
  if (COMMON_PASSWORDS.has(lower)) return 'is one of the most common passwords';
  if (new Set(lower).size === 1) return 'must not be one character repeated';
  return null;
}
