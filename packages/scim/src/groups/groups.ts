import type { CallContext, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { createUuid } from '@probity/core/internal';
import { scimError } from '../errors.ts';
import { toResourceQuery } from '../lists/request.ts';
import { applyGroupPatch, planGroupPatch } from '../patch/apply.ts';
import { parsePatch } from '../patch/parse.ts';
import type { MemberChange } from '../patch/types.ts';
import { toGroupBody } from '../resources/body.ts';
import { isSame } from '../resources/changes.ts';
import { toGroupInput } from '../resources/input.ts';
import type { Projection } from '../resources/projection.ts';
import { isReturned, project } from '../resources/projection.ts';
import type { Resources } from '../resources/resources.ts';
import { toSent } from '../resources/sent.ts';
import type { ScimGroup } from '../resources/types.ts';
import type { Preconditions } from '../resources/versions.ts';
import { requireVersion } from '../resources/versions.ts';
import { GROUP } from '../schemas/resource-types.ts';
import type { ScimStorage, ScimTransaction, StorageReads } from '../storage.ts';
import { withOrganizationLock } from '../storage.ts';
import { changeMembers, keepAdded, requireNoCircle } from './members.ts';

/**
 * Operations on the groups of the caller's organization. Members are changed by what is added and removed, so that
 * parallel changes of one group lose nothing; they stay in a PUT that does not have them.
 */
export type Groups = Resources;

/** Dependencies of groups. */
export interface GroupsOptions {
  readonly storage: ScimStorage;
  /** URL of the SCIM interface, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Creates the operations on groups. */
export function createGroups(runtime: Runtime, { storage, baseUrl }: GroupsOptions): Groups {
  const { clock, random, audit } = runtime;

  async function send(group: ScimGroup, projection: Projection) {
    const bodies = await toBodies(storage, [group], projection, baseUrl());
    return toSent(group, bodies[0] ?? {}, GROUP, baseUrl());
  }

  /** Changes a group; a second time with the organization locked when groups are added to it. */
  async function change(context: CallContext, id: string, decision: Decision): Promise<ScimGroup> {
    try {
      return await storage
        .transaction(context, (tx) => changeOnce(tx, context, id, { ...decision, isNested: false }))
        .catch((thrown) => {
          if (thrown !== NESTED) throw thrown;
          return withOrganizationLock(storage, context, (tx) =>
            changeOnce(tx, context, id, { ...decision, isNested: true }),
          );
        });
    } catch (thrown) {
      throw toTaken(thrown);
    }
  }

  /**
   * Changes a group, which is locked, so that no other change is overtaken.
   * @throws the mark of a change that adds groups, unless it is known to
   */
  async function changeOnce(
    tx: ScimTransaction,
    context: CallContext,
    id: string,
    { preconditions, members, decide, isNested }: Decision & { readonly isNested: boolean },
  ): Promise<ScimGroup> {
    const { organizationId } = context.principal;
    const now = clock.now();
    await keepAdded(tx, { organizationId, id }, members);
    const before = await tx.lockGroup(organizationId, id);
    if (!before) throw groupNotFound();
    requireVersion(before.version, preconditions);
    const { count, groups } = await changeMembers(tx, before, members, now);
    if (groups.length > 0) {
      if (!isNested) throw NESTED;
      await requireNoCircle(tx, before, groups);
    }
    const next = { ...before, ...decide(before) };
    if (count === 0 && isSame(before, next)) return before;
    const after = await store(tx, before, { ...next, lastModifiedAt: now });
    await record(tx, context, 'scim_group.updated', { before, after });
    return after;
  }

  /** Stores a changed group; one of which only the members have changed is not written as a whole. */
  async function store(
    tx: ScimTransaction,
    before: ScimGroup,
    next: ScimGroup,
  ): Promise<ScimGroup> {
    const { organizationId, id, lastModifiedAt } = next;
    if (isSame(before, next)) {
      const touched = await tx.touchGroup(organizationId, id, lastModifiedAt);
      if (touched) return touched;
    }
    const after = { ...next, version: before.version + 1 };
    if (!(await tx.updateGroup(after))) throw groupNotFound();
    return after;
  }

  async function record(
    tx: ScimTransaction,
    context: CallContext,
    action: string,
    { before, after }: { readonly before?: ScimGroup; readonly after?: ScimGroup },
  ) {
    const { recordAudit } = tx;
    if (!recordAudit) return;
    const target = { type: 'scim_group', id: (after ?? before)?.id ?? '' };
    await audit.record({ recordAudit }, context, action, target, {
      before: before ? toAuditFields(before) : null,
      after: after ? toAuditFields(after) : null,
    });
  }

  return {
    async create(context, body, projection) {
      const { members, ...input } = toGroupInput(body);
      const now = clock.now();
      const { organizationId } = context.principal;
      const times = { version: 1, createdAt: now, lastModifiedAt: now };
      const id = createUuid({ clock, random });
      const group: ScimGroup = { id, organizationId, ...times, ...input };
      await storage
        .transaction(context, async (tx) => {
          const added: MemberChange[] = [{ kind: 'add', ids: members ?? [] }];
          await keepAdded(tx, group, added);
          await tx.insertGroup(group);
          await changeMembers(tx, group, added, now);
          await record(tx, context, 'scim_group.created', { after: group });
        })
        .catch((thrown) => {
          throw toTaken(thrown);
        });
      return send(group, projection);
    },
    async get({ principal }, id, projection) {
      const group = await storage.findGroup(principal.organizationId, id);
      if (!group) throw groupNotFound();
      return send(group, projection);
    },
    async list({ principal }, request) {
      const query = toResourceQuery(request, GROUP);
      const { items, total } = await storage.listGroups(principal.organizationId, query);
      const resources = await toBodies(storage, items, request.projection, baseUrl());
      return { resources, total, last: items.at(-1) ?? null };
    },
    async replace(context, id, { body, projection, preconditions }) {
      const { members, ...input } = toGroupInput(body);
      const after = await change(context, id, {
        preconditions,
        members: members ? [{ kind: 'replace', ids: members }] : [],
        decide: () => input,
      });
      return send(after, projection);
    },
    async patch(context, id, { body, projection, preconditions }) {
      const { attributes, members } = planGroupPatch(parsePatch(body, GROUP));
      const after = await change(context, id, {
        preconditions,
        members,
        decide: (group) => applyGroupPatch(group, attributes),
      });
      return send(after, projection);
    },
    async remove(context, id, preconditions) {
      await withOrganizationLock(storage, context, async (tx) => {
        const { organizationId } = context.principal;
        const before = await tx.findGroup(organizationId, id);
        if (!before) throw groupNotFound();
        requireVersion(before.version, preconditions);
        if (!(await tx.deleteGroup(organizationId, id, clock.now()))) throw groupNotFound();
        await record(tx, context, 'scim_group.deleted', { before });
      });
    },
  };
}

/** What a request changes of a group. */
interface Decision {
  readonly preconditions: Preconditions;
  readonly members: readonly MemberChange[];
  readonly decide: (group: ScimGroup) => Partial<ScimGroup>;
}

/** Thrown to undo a change that adds groups to a group, for which the organization must be locked. */
const NESTED = Symbol('nested');

function groupNotFound(): ProbityError {
  return new ProbityError('not_found', 'group not found');
}

function toTaken(thrown: unknown): unknown {
  const isTaken = thrown instanceof ProbityError && thrown.kind === 'already_exists';
  return isTaken ? scimError('uniqueness', 'a group with this displayName exists') : thrown;
}

/** The projected bodies; what a projection leaves out is not read. */
async function toBodies(
  reads: StorageReads,
  groups: readonly ScimGroup[],
  projection: Projection,
  baseUrl: string,
) {
  const [first] = groups;
  const members =
    first && isReturned(projection, GROUP, 'members')
      ? await reads.listGroupMembers(
          first.organizationId,
          groups.map(({ id }) => id),
        )
      : null;
  return groups.map((group) => {
    const ofGroup = members && (members.get(group.id) ?? []);
    return project(toGroupBody(group, ofGroup, baseUrl), projection, GROUP);
  });
}

function toAuditFields({ displayName, externalId }: ScimGroup) {
  return { display_name: displayName, external_id: externalId };
}
