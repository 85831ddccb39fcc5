import type { CallContext, Role } from '@probity/core';
import { ProbityError, ROLES } from '@probity/core';
import { isPrintableName } from '@probity/core/internal';
import type { Account, Provisioning, ProvisioningCall } from '../provisioning.ts';
import type { ScimUser } from '../resources/types.ts';
import { SERVICE_SCHEMA_ID } from '../schemas/extensions.ts';
import type { JsonObject, JsonValue } from '../schemas/types.ts';
import type { ScimTransaction } from '../storage.ts';

/** The accounts of SCIM users; every operation joins the transaction that changes the user. */
export interface Accounts {
  /**
   * Gives a new user an account, or links the organization's account with that e-mail; returns its id.
   * @throws ProbityError `already_exists` when a new account's e-mail was taken meanwhile
   */
  create(tx: ScimTransaction, context: CallContext, user: ScimUser): Promise<string | null>;
  /**
   * Changes the account as the user was changed; returns its id, null when an administrator has removed it. Another one
   * with the user's e-mail is linked then, so that what SCIM says of the person holds for it, and a person who is active
   * again gets a new one.
   */
  update(
    tx: ScimTransaction,
    context: CallContext,
    change: { readonly before: ScimUser; readonly after: ScimUser },
  ): Promise<string | null>;
  /**
   * Removes the account; where an administrator has, another one with the user's e-mail.
   * @throws ProbityError `conflict` for the last owner
   */
  remove(tx: ScimTransaction, context: CallContext, user: ScimUser): Promise<void>;
}

/** Accounts of users that have none. */
const NO_ACCOUNTS: Accounts = {
  create: async () => null,
  update: async () => null,
  remove: async () => undefined,
};

/** Creates the accounts; without a provisioning users have none. */
export function createAccounts(provisioning: Provisioning | undefined): Accounts {
  return provisioning ? createProvisionedAccounts(provisioning) : NO_ACCOUNTS;
}

function createProvisionedAccounts(provisioning: Provisioning): Accounts {
  /** Adds an account, or links one that exists, whose role stays unless the user has roles. */
  async function link(call: ProvisioningCall, user: ScimUser): Promise<Account> {
    const { userName: email } = user;
    const name = accountNameOf(user);
    const role = accountRoleOf(user);
    const known = await provisioning.findByEmail(call, email);
    if (!known) return provisioning.add(call, { email, name, role: role ?? DEFAULT_ROLE });
    if (known.status === 'pending_invite') await provisioning.activate(call, known.id);
    return provisioning.update(call, known.id, {
      ...(name === null ? {} : { name }),
      ...(role === null ? {} : { role }),
    });
  }

  async function create(tx: ScimTransaction, context: CallContext, user: ScimUser) {
    const call = callOf(tx, context);
    const account = await link(call, user);
    if (!user.active) await provisioning.suspend(call, account.id);
    else if (account.status === 'suspended') await provisioning.reactivate(call, account.id);
    return account.id;
  }

  async function findAccount(call: ProvisioningCall, { accountId }: ScimUser) {
    return accountId === null ? null : provisioning.find(call, accountId);
  }

  /** The changed account; null when there is none. One that is changed is not read before. */
  async function change(call: ProvisioningCall, user: ScimUser, changes: AccountChanges) {
    if (user.accountId === null || Object.keys(changes).length === 0) {
      return findAccount(call, user);
    }
    return provisioning.update(call, user.accountId, changes).catch(nullIfNotFound);
  }

  return {
    create,
    async update(tx, context, { before, after }) {
      const call = callOf(tx, context);
      const account = await change(call, before, changesBetween(before, after));
      if (!account) {
        const isBack = after.active && !before.active;
        const isLinked = isBack || (await provisioning.findByEmail(call, after.userName)) !== null;
        return isLinked ? create(tx, context, after) : null;
      }
      if (!after.active) await provisioning.suspend(call, account.id);
      else if (!before.active) await provisioning.reactivate(call, account.id);
      return account.id;
    },
    async remove(tx, context, user) {
      const call = callOf(tx, context);
      const account =
        (await findAccount(call, user)) ?? (await provisioning.findByEmail(call, user.userName));
      if (account) await provisioning.remove(call, account.id);
    },
  };
}

function callOf({ session }: ScimTransaction, context: CallContext): ProvisioningCall {
  return session ? { context, session } : { context };
}

type AccountChanges = Parameters<Provisioning['update']>[2];

function nullIfNotFound(thrown: unknown): null {
  if (thrown instanceof ProbityError && thrown.kind === 'not_found') return null;
  throw thrown;
}

/** What the change of a user changes of its account. */
function changesBetween(before: ScimUser, after: ScimUser): AccountChanges {
  const name = accountNameOf(after);
  return {
    ...(before.userName === after.userName ? {} : { email: after.userName }),
    ...(accountNameOf(before) === name ? {} : { name }),
    ...(isEqual(rolesOf(before), rolesOf(after))
      ? {}
      : { role: accountRoleOf(after) ?? DEFAULT_ROLE }),
  };
}

function isEqual(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

const DEFAULT_ROLE: Role = 'member';

/** The highest known role of the user's roles, never above admin; null when it has no known one. */
function accountRoleOf(user: ScimUser): Role | null {
  const names = rolesOf(user).map(toRoleName);
  const role = ROLES.find((each) => names.includes(each));
  return role === 'owner' ? 'admin' : (role ?? null);
}

/**
 * The roles of the service's extension; without any, those of RFC 7643, section 4.1.2, that are roles of the service:
 * Entra ID assigns its app roles there. Others say what a person is elsewhere, and change nothing here.
 */
function rolesOf({ attributes }: ScimUser): readonly JsonValue[] {
  const extension = attributes[SERVICE_SCHEMA_ID] as JsonObject | undefined;
  const own = extension?.roles;
  if (Array.isArray(own) && own.length > 0) return own;
  const core = Array.isArray(attributes.roles) ? (attributes.roles as JsonObject[]) : [];
  return core.map(({ value }) => toRoleName(value ?? '')).filter(isRole);
}

function toRoleName(role: JsonValue): string {
  return String(role).trim().toLowerCase();
}

function isRole(name: string): boolean {
  return ROLES.some((role) => role === name);
}

/** Longest name of an account, in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/** The displayed name, without what cannot be displayed on one line; null when there is none. */
function accountNameOf({ attributes }: ScimUser): string | null {
  const { displayName, name } = attributes;
  const { formatted, givenName, familyName } = (name ?? {}) as JsonObject;
  const parts = [givenName, familyName].filter((part) => typeof part === 'string').join(' ');
  const full = [displayName, formatted, parts].find(
    (each) => typeof each === 'string' && toPrintable(each) !== '',
  );
  return typeof full === 'string' ? toPrintable(full) : null;
}

function toPrintable(text: string): string {
  const printable = [...text].map((character) => (isPrintableName(character) ? character : ' '));
  const joined = printable.join('').replace(/ +/g, ' ').trim();
  return joined.slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll('\uFFFD', '').trim();
}
