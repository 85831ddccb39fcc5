import { ProbityError } from '@probity/core';
import type { UserNames } from './user-name.ts';

/** The specification's wording for e-mail addresses, and which attribute is taken. */
const DETAILS: Readonly<Record<UserNames, string>> = {
  email: 'email already in use: another user or member has this userName',
  any: 'userName already in use: another user has it',
};

/** The error for a userName or an account that another user of the organization has. */
export function userNameInUse(userNames: UserNames = 'email'): ProbityError {
  return new ProbityError('already_exists', DETAILS[userNames], { reason: 'uniqueness' });
}

/** The error for a displayName that another group of the organization has. */
export function groupNameInUse(): ProbityError {
  return new ProbityError('already_exists', 'group name already in use', { reason: 'uniqueness' });
}
