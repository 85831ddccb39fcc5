import { isEmailAddress, MAX_EMAIL_LENGTH } from '@probity/core/internal';

/**
 * What is wrong with a userName, after its name; null when it is an e-mail address (specification, "SCIM user"), by
 * the rule that members and sign-in have.
 */
export function userNameFault(userName: string): string | null {
  if (userName.length > MAX_EMAIL_LENGTH) return `must have at most ${MAX_EMAIL_LENGTH} characters`;
  return isEmailAddress(userName) ? null : 'must be an e-mail address';
}
