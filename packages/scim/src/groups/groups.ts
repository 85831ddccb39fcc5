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
import { changeMembers, keepAdded } from './members.ts';

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

  /** Changes a group. It is locked by counting the change, so that no other one is overtaken. */
  function change(
    context: CallContext,
    id: string,
    { preconditions, members, decide }: Decision,
  ): Promise<ScimGroup> {
    return storage
      .transaction(context, async (tx) => {
        const { organizationId } = context.principal;
        const now = clock.now();
        await keepAdded(tx, { organizationId, id }, members);
        const before = await tx.touchGroup(organizationId, id, now);
        if (!before) throw groupNotFound();
        requireVersion(before.version - 1, preconditions);
        await changeMembers(tx, before, members, now);
        const after = await store(tx, before, decide(before));
        await record(tx, context, 'scim_group.updated', { before, after });
        return after;
      })
      .catch(refuseTaken);
  }

  async function store(
    tx: ScimTransaction,
    before: ScimGroup,
    attributes: Partial<ScimGroup>,
  ): Promise<ScimGroup> {
    const after = { ...before, ...attributes };
    if (isSame(before, after)) return before;
    const next = { ...after, version: before.version + 1 };
    if (!(await tx.updateGroup(next))) throw groupNotFound();
    return next;
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
        .catch(refuseTaken);
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

function groupNotFound(): ProbityError {
  return new ProbityError('not_found', 'group not found');
}

function refuseTaken(thrown: unknown): never {
  const isTaken = thrown instanceof ProbityError && thrown.kind === 'already_exists';
  throw isTaken ? scimError('uniqueness', 'a group with this displayName exists') : thrown;
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
