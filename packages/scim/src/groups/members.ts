import { excerpt, scimError } from '../errors.ts';
import { selectMembers } from '../patch/members.ts';
import type { MemberChange } from '../patch/types.ts';
import type { WorkBudget } from '../patch/work-budget.ts';
import { createWorkBudget } from '../patch/work-budget.ts';
import type { ScimGroup } from '../resources/types.ts';
import type { ScimTransaction } from '../storage.ts';

/** Number of members that the filters of a PATCH are applied to, times their terms. */
const MAX_FILTERED = 100_000;

/**
 * Keeps the users and groups that a request adds to a group from being deleted meanwhile; to be called before the
 * group is locked.
 */
export async function keepAdded(
  tx: ScimTransaction,
  { organizationId, id }: Pick<ScimGroup, 'organizationId' | 'id'>,
  changes: readonly MemberChange[],
): Promise<void> {
  const idsOf = (kind: 'add' | 'replace') =>
    changes.flatMap((change) => (change.kind === kind ? change.ids : []));
  const [added, wanted] = [idsOf('add'), idsOf('replace')];
  if (added.length > 0) await tx.keepMembers(organizationId, added, null);
  if (wanted.length > 0) await tx.keepMembers(organizationId, wanted, id);
}

/** What changes of members have done. */
export interface ChangedMembers {
  /** Number of members that were added and removed. */
  readonly count: number;
  /** The groups among those that the request adds. */
  readonly groups: readonly string[];
}

/**
 * Applies changes of members in their order.
 * @throws ProbityError `invalidValue` naming the ids that are neither a user nor a group of the organization; `tooMany`
 *   when filters are applied to more than 100,000 members in total
 */
export async function changeMembers(
  tx: ScimTransaction,
  group: ScimGroup,
  changes: readonly MemberChange[],
  at: Date,
): Promise<ChangedMembers> {
  const budget = createWorkBudget(MAX_FILTERED);
  const groups: string[] = [];
  let count = 0;
  for (const change of changes) {
    const changed = await changeOnce(tx, group, change, { at, budget });
    count += changed.count;
    groups.push(...changed.groups);
  }
  return { count, groups };
}

/**
 * Checks that a group contains itself through none of these members. The organization must be locked: two changes could
 * each add half of a circle.
 * @throws ProbityError `invalidValue` that names the first member which does
 */
export async function requireNoCircle(
  tx: ScimTransaction,
  { organizationId, id }: ScimGroup,
  groups: readonly string[],
): Promise<void> {
  const containing = (await tx.listGroupsOf(organizationId, [id])).get(id) ?? [];
  const above = new Set([id, ...containing.map((group) => group.id)]);
  const member = groups.find((each) => above.has(each));
  if (member === undefined) return;
  const fault =
    member === id
      ? 'a group cannot be a member of itself'
      : `the group ${excerpt(member)} contains this group, so it cannot be a member of it`;
  throw scimError('invalidValue', `invalid group attributes: members: ${fault}`);
}

async function changeOnce(
  tx: ScimTransaction,
  group: ScimGroup,
  change: MemberChange,
  { at, budget }: { readonly at: Date; readonly budget: WorkBudget },
): Promise<ChangedMembers> {
  switch (change.kind) {
    case 'add':
      return add(tx, group, change.ids, at);
    case 'remove':
      return remove(tx, group, change.ids);
    case 'clear':
      return remove(tx, group, null);
    case 'replace':
      return replaceMembers(tx, group, change.ids, at);
    case 'removeMatching': {
      const members = await membersOf(tx, group);
      budget.spend(members.length, change.filter);
      return remove(tx, group, selectMembers(change.filter, members));
    }
  }
}

async function remove(
  tx: ScimTransaction,
  { organizationId, id }: ScimGroup,
  ids: readonly string[] | null,
): Promise<ChangedMembers> {
  if (ids?.length === 0) return { count: 0, groups: [] };
  return { count: await tx.removeGroupMembers(organizationId, id, ids), groups: [] };
}

async function add(
  tx: ScimTransaction,
  { organizationId, id }: ScimGroup,
  ids: readonly string[],
  at: Date,
): Promise<ChangedMembers> {
  if (ids.length === 0) return { count: 0, groups: [] };
  const { unknown, added, groups } = await tx.addGroupMembers(organizationId, id, ids, at);
  if (unknown.length === 0) return { count: added, groups };
  const named = unknown.slice(0, 5).map(excerpt).join(', ');
  const rest = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  const detail = `invalid group attributes: members: no user or group has the id ${named}${rest}`;
  throw scimError('invalidValue', detail);
}

/** Makes these the members; those that are members already stay as they are. */
async function replaceMembers(
  tx: ScimTransaction,
  group: ScimGroup,
  ids: readonly string[],
  at: Date,
): Promise<ChangedMembers> {
  const wanted = new Set(ids);
  const known = new Set((await membersOf(tx, group)).map((member) => member.id));
  const left = [...known].filter((memberId) => !wanted.has(memberId));
  const removed = await remove(tx, group, left);
  const missing = [...wanted].filter((memberId) => !known.has(memberId));
  const { count, groups } = await add(tx, group, missing, at);
  return { count: removed.count + count, groups };
}

async function membersOf(tx: ScimTransaction, { organizationId, id }: ScimGroup) {
  return (await tx.listGroupMembers(organizationId, [id])).get(id) ?? [];
}
