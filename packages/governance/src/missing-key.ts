import type { ProbityError } from '@probity/core';
import { validationError } from '@probity/core';

/** The error for a field whose texts must be sealed, in an installation without a key; it says what to do. */
export function missingKey(field: string): ProbityError {
  return validationError({
    field,
    message:
      'cannot be kept without an encryption key: set PROBITY_ENCRYPTION_KEY, or the option encryptionKey',
  });
}
