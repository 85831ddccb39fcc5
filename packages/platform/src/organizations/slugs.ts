import type { Random } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { OrganizationReads } from './storage.ts';

const MAX_SLUG_LENGTH = 48;
const SUFFIX_LENGTH = 6;

/**
 * Converts a name to lower-case Latin letters, digits and single hyphens; `organization` when none
 * are left.
 */
export function toSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '');
  return slug || 'organization';
}

/** The slug of `name`, with random digits appended when it is taken. */
export async function availableSlug(
  reads: OrganizationReads,
  name: string,
  random: Random,
): Promise<string> {
  const base = toSlug(name);
  if (!(await reads.isSlugTaken(base))) return base;
  return `${base}-${Buffer.from(random(SUFFIX_LENGTH)).toString('hex')}`;
}

/** The error for a slug that another organization has. */
export function slugTaken(slug: string): ProbityError {
  return new ProbityError('already_exists', `The slug ${slug} is taken.`);
}
