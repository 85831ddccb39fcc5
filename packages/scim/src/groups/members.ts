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
 * group is touched.
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
): Promise<void> {
  const budget = createWorkBudget(MAX_FILTERED);
  for (const change of changes) await changeOnce(tx, group, change, { at, budget });
}

async function changeOnce(
  tx: ScimTransaction,
  group: ScimGroup,
  change: MemberChange,
  { at, budget }: { readonly at: Date; readonly budget: WorkBudget },
) {
  const { organizationId, id } = group;
  switch (change.kind) {
    case 'add':
      return add(tx, group, change.ids, at);
    case 'remove':
      return tx.removeGroupMembers(organizationId, id, change.ids);
    case 'clear':
      return tx.removeGroupMembers(organizationId, id, null);
    case 'replace':
      return replaceMembers(tx, group, change.ids, at);
    case 'removeMatching': {
      const members = await membersOf(tx, group);
      budget.spend(members.length, change.filter);
      const ids = selectMembers(change.filter, members);
      return tx.removeGroupMembers(organizationId, id, ids);
    }
  }
}

async function add(tx: ScimTransaction, group: ScimGroup, ids: readonly string[], at: Date) {
  if (ids.length === 0) return;
  const unknown = await tx.addGroupMembers(group.organizationId, group.id, ids, at);
  if (unknown.length === 0) return;
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
): Promise<void> {
  const { organizationId, id } = group;
  const wanted = new Set(ids);
  const known = new Set((await membersOf(tx, group)).map((member) => member.id));
  const left = [...known].filter((memberId) => !wanted.has(memberId));
  if (left.length > 0) await tx.removeGroupMembers(organizationId, id, left);
  await add(
    tx,
    group,
    [...wanted].filter((memberId) => !known.has(memberId)),
    at,
  );
}

async function membersOf(tx: ScimTransaction, { organizationId, id }: ScimGroup) {
  return (await tx.listGroupMembers(organizationId, [id])).get(id) ?? [];
}
