import type { CallContext, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { createUuid } from '@probity/core/internal';
import { toResourceQuery } from '../lists/request.ts';
import { applyUserPatch } from '../patch/apply.ts';
import { parsePatch } from '../patch/parse.ts';
import { toUserBody } from '../resources/body.ts';
import { isSame } from '../resources/changes.ts';
import type { UserAttributes, UserInput } from '../resources/input.ts';
import { toUserInput } from '../resources/input.ts';
import { userNameInUse } from '../resources/names.ts';
import type { Projection } from '../resources/projection.ts';
import { isReturned, project } from '../resources/projection.ts';
import type { Resources } from '../resources/resources.ts';
import { toSent } from '../resources/sent.ts';
import type { ScimUser } from '../resources/types.ts';
import type { UserNames } from '../resources/user-name.ts';
import type { Preconditions } from '../resources/versions.ts';
import { requireVersion } from '../resources/versions.ts';
import { USER } from '../schemas/resource-types.ts';
import type { ScimStorage, ScimTransaction, StorageReads } from '../storage.ts';
import { withOrganizationLock } from '../storage.ts';
import type { Accounts } from './account.ts';

/**
 * Operations on the users of the caller's organization. A change of a user changes its account with it; `active`
 * stays in a PUT that does not have it, and removing the last owner is a `conflict`.
 */
export type Users = Resources;

/** Dependencies of users. */
export interface UsersOptions {
  readonly storage: ScimStorage;
  readonly accounts: Accounts;
  /** URL of the SCIM interface, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Which texts are userNames; default: e-mail addresses, which accounts must have. */
  readonly userNames?: UserNames | undefined;
}

/** Attempts of a change that others overtake; each of those has succeeded itself. */
const MAX_ATTEMPTS = 50;

/** Creates the operations on users. */
export function createUsers(runtime: Runtime, options: UsersOptions): Users {
  const { clock, random, audit } = runtime;
  const { storage, accounts, baseUrl, userNames = 'email' } = options;

  async function send(reads: StorageReads, user: ScimUser, projection: Projection) {
    const bodies = await toBodies(reads, [user], projection, baseUrl());
    return toSent(user, bodies[0] ?? {}, USER, baseUrl());
  }

  async function change(
    context: CallContext,
    id: string,
    preconditions: Preconditions,
    decide: (user: ScimUser) => UserAttributes,
  ): Promise<ScimUser> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const changed = await withOrganizationLock(storage, context, (tx) =>
        changeOnce(tx, context, id, { preconditions, decide }),
      ).catch(ignoreOvertaken);
      if (changed) return changed;
    }
    throw new ProbityError('unavailable', 'the user is being changed by too many requests');
  }

  /** @throws the mark of a change that another one has overtaken, so that nothing of it is kept */
  async function changeOnce(
    tx: ScimTransaction,
    context: CallContext,
    id: string,
    { preconditions, decide }: Decision,
  ): Promise<ScimUser> {
    const before = await requireUser(tx, context, id);
    requireVersion(before.version, preconditions);
    const next = { ...before, ...decide(before) };
    const accountId = await accounts.update(tx, context, { before, after: next });
    if (isSame(before, next) && accountId === before.accountId) return before;
    const changes = { accountId, version: before.version + 1, lastModifiedAt: clock.now() };
    const after = { ...next, ...changes };
    if (!(await tx.updateUser(after, before))) throw OVERTAKEN;
    await record(tx, context, 'scim_user.updated', { before, after });
    return after;
  }

  /** The same error whether a user or an account has the userName. */
  function refuseTaken(thrown: unknown): never {
    const isTaken = thrown instanceof ProbityError && thrown.kind === 'already_exists';
    throw isTaken ? userNameInUse(userNames) : thrown;
  }

  async function record(
    tx: ScimTransaction,
    context: CallContext,
    action: string,
    { before, after }: { readonly before?: ScimUser; readonly after?: ScimUser },
  ) {
    const { recordAudit } = tx;
    if (!recordAudit) return;
    const target = { type: 'scim_user', id: (after ?? before)?.id ?? '' };
    await audit.record({ recordAudit }, context, action, target, {
      before: before ? toAuditFields(before) : null,
      after: after ? toAuditFields(after) : null,
    });
  }

  return {
    async create(context, body, projection) {
      const input = toUserInput(body, userNames);
      const now = clock.now();
      const user = newUser(createUuid({ clock, random }), context, input, now);
      const stored = await withOrganizationLock(storage, context, async (tx) => {
        const accountId = await accounts.create(tx, context, user);
        const after = { ...user, accountId };
        await tx.insertUser(after);
        await record(tx, context, 'scim_user.created', { after });
        return after;
      }).catch(refuseTaken);
      return send(storage, stored, projection);
    },
    async get(context, id, projection) {
      return send(storage, await requireUser(storage, context, id), projection);
    },
    async list({ principal }, request) {
      const query = toResourceQuery(request, USER);
      const { items, total } = await storage.listUsers(principal.organizationId, query);
      const resources = await toBodies(storage, items, request.projection, baseUrl());
      return { resources, total, last: items.at(-1) ?? null };
    },
    async replace(context, id, { body, projection, preconditions }) {
      const { active, ...input } = toUserInput(body, userNames);
      const after = await change(context, id, preconditions, (user) => ({
        ...input,
        active: active ?? user.active,
      })).catch(refuseTaken);
      return send(storage, after, projection);
    },
    async patch(context, id, { body, projection, preconditions }) {
      const operations = parsePatch(body, USER);
      const after = await change(context, id, preconditions, (user) =>
        applyUserPatch(user, operations, userNames),
      ).catch(refuseTaken);
      return send(storage, after, projection);
    },
    async remove(context, id, preconditions) {
      await withOrganizationLock(storage, context, async (tx) => {
        const before = await requireUser(tx, context, id);
        requireVersion(before.version, preconditions);
        // The audit log is locked by the account's removal, and by changes of groups after their members.
        if (!(await tx.deleteUser(before.organizationId, id, clock.now()))) throw userNotFound();
        await accounts.remove(tx, context, before);
        await record(tx, context, 'scim_user.deleted', { before });
      });
    },
  };
}

interface Decision {
  readonly preconditions: Preconditions;
  readonly decide: (user: ScimUser) => UserAttributes;
}

/** Thrown to undo a change that was made to a version which is no longer the latest. */
const OVERTAKEN = Symbol('overtaken');

function ignoreOvertaken(thrown: unknown): null {
  if (thrown === OVERTAKEN) return null;
  throw thrown;
}

async function requireUser(
  reads: StorageReads,
  { principal }: CallContext,
  id: string,
): Promise<ScimUser> {
  const user = await reads.findUser(principal.organizationId, id);
  if (!user) throw userNotFound();
  return user;
}

function userNotFound(): ProbityError {
  return new ProbityError('not_found', 'user not found');
}

function newUser(
  id: string,
  { principal }: CallContext,
  { active, ...input }: UserInput,
  now: Date,
): ScimUser {
  const { organizationId } = principal;
  const times = { version: 1, createdAt: now, lastModifiedAt: now };
  return { id, organizationId, ...times, ...input, active: active ?? true, accountId: null };
}

/** The projected bodies; what a projection leaves out is not read. */
async function toBodies(
  reads: StorageReads,
  users: readonly ScimUser[],
  projection: Projection,
  baseUrl: string,
) {
  const [first] = users;
  const groups =
    first && isReturned(projection, USER, 'groups')
      ? await reads.listGroupsOf(
          first.organizationId,
          users.map(({ id }) => id),
        )
      : null;
  return users.map((user) =>
    project(toUserBody(user, groups?.get(user.id) ?? [], baseUrl), projection, USER),
  );
}

function toAuditFields({ userName, externalId, active }: ScimUser) {
  return { user_name: userName, external_id: externalId, active };
}
