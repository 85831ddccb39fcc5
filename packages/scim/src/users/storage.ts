import type { ResourcePage, ResourceQuery, ScimUser } from '../resources/types.ts';

/** Read operations on users. */
export interface UserReads {
  /** Null when the organization has no such user. */
  findUser(organizationId: string, id: string): Promise<ScimUser | null>;
  /** By userName in any writing, see `foldMailbox`. */
  findUserByName(organizationId: string, userName: string): Promise<ScimUser | null>;
  /**
   * Users that match, in the query's order. An adapter that cannot express the filter in its own query language reads
   * candidates and applies `matchesUser`.
   */
  listUsers(organizationId: string, query: ResourceQuery): Promise<ResourcePage<ScimUser>>;
  countUsers(organizationId: string): Promise<number>;
}

/** Write operations on users. */
export interface UserWrites {
  /**
   * @throws ProbityError `already_exists` when the organization has a user with this userName, in any writing, or with
   *   this account
   */
  insertUser(user: ScimUser): Promise<void>;
  /**
   * Replaces the stored user of the same id and organization if it still has the version `user.version - 1`; returns
   * false, without a change, otherwise.
   * @param before the stored user as it was read, so that only what has changed need be written
   * @throws ProbityError `already_exists` as `insertUser`
   */
  updateUser(user: ScimUser, before: ScimUser): Promise<boolean>;
  /**
   * Removes the user, also from all groups, each of which counts that as a change, see `touchGroup`. False when the
   * organization has no such user.
   */
  deleteUser(organizationId: string, id: string, at: Date): Promise<boolean>;
}
