import { ProbityError } from '@probity/core';

/** The error for a second member with the same e-mail. */
export function emailTaken(): ProbityError {
  return new ProbityError('already_exists', 'The organization has a member with this e-mail.');
}

/** The error for an organization whose slug another one has. */
export function slugTaken(slug: string): ProbityError {
  return new ProbityError('already_exists', `The slug ${slug} is taken.`);
}
