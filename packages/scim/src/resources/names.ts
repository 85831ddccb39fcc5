import { ProbityError } from '@probity/core';

/** The error for a userName or an account that another user of the organization has. */
export function userNameInUse(): ProbityError {
  return new ProbityError('already_exists', 'email already in use', { reason: 'uniqueness' });
}

/** The error for a displayName that another group of the organization has. */
export function groupNameInUse(): ProbityError {
  return new ProbityError('already_exists', 'group name already in use', { reason: 'uniqueness' });
}
