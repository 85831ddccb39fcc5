import { isEmailAddress, MAX_EMAIL_LENGTH } from '@probity/core/internal';

/** Which texts are userNames: e-mail addresses, or any. */
export type UserNames = 'email' | 'any';

/**
 * What is wrong with a userName, after its name; null when it is an e-mail address (specification, "SCIM user"), by
 * the rule that members and sign-in have, or where any text is one.
 */
export function userNameFault(userName: string, userNames: UserNames): string | null {
  if (userName.length > MAX_EMAIL_LENGTH) return `must have at most ${MAX_EMAIL_LENGTH} characters`;
  if (userNames === 'any') return null;
  return isEmailAddress(userName) ? null : 'must be an e-mail address';
}
