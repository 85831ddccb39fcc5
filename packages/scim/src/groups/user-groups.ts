import { foldCase } from '../filters/compare-values.ts';
import type { UserGroup } from '../resources/types.ts';

/** Sorts the groups of a user: direct ones first, then by name without regard to case, ties by id. */
export function sortUserGroups(groups: UserGroup[]): UserGroup[] {
  const keyOf = ({ type, display, id }: UserGroup) =>
    `${type === 'direct' ? 0 : 1} ${foldCase(display)}\0${id}`;
  const keyed = groups.map((group) => ({ key: keyOf(group), group }));
  keyed.sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)));
  return keyed.map(({ group }) => group);
}
