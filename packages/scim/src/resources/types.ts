import type { AttributePath, Filter } from '../filters/types.ts';
import type { JsonObject } from '../schemas/types.ts';

/** What users and groups have in common. */
interface ScimResource {
  /** UUID (version 7), assigned at creation. */
  readonly id: string;
  readonly organizationId: string;
  /** Counts the changes, from 1; the ETag is `W/"<version>"`. */
  readonly version: number;
  readonly createdAt: Date;
  readonly lastModifiedAt: Date;
  /** The identity provider's id, any text; not unique. Null when unassigned. */
  readonly externalId: string | null;
}

/** A stored user. */
export interface ScimUser extends ScimResource {
  /** As sent; unique in the organization without regard to case. */
  readonly userName: string;
  readonly active: boolean;
  /**
   * Every other attribute in canonical form: names as in the schemas, unassigned ones absent, extensions below their
   * URN. Without `schemas`, `id`, `meta`, `externalId`, `userName`, `active`, `groups` and `password`.
   */
  readonly attributes: JsonObject;
  /** Id of the provisioned account, such as a member; null when there is none. */
  readonly accountId: string | null;
}

/** A stored group, without its members. */
export interface ScimGroup extends ScimResource {
  /** As sent; unique in the organization without regard to case. */
  readonly displayName: string;
  /** Every other attribute, as in {@link ScimUser}; without `members`. */
  readonly attributes: JsonObject;
}

/** A member of a group: a user or a group of the same organization. */
export interface GroupMember {
  readonly id: string;
  readonly type: 'User' | 'Group';
  /** Display name of the member now; null when it has none. */
  readonly display: string | null;
}

/** A group that a user belongs to. */
export interface UserGroup {
  readonly id: string;
  readonly display: string;
  /** `indirect`: by a group that is a member of it. */
  readonly type: 'direct' | 'indirect';
}

/** The position after the last resource of a page: resources are ordered by creation, ties by id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** What a list reads of an organization. */
export interface ResourceQuery {
  /** Null for all. */
  readonly filter: Filter | null;
  /**
   * Default order: by creation, ties by id. Resources without the attribute are last in ascending order and first in
   * descending (RFC 7644, section 3.4.2.3); ties are in the default order. See `compareBy`.
   * `groups` and `members` sort nothing.
   */
  readonly sort: {
    readonly path: AttributePath;
    readonly order: 'ascending' | 'descending';
  } | null;
  /** By number of resources to leave out, or, for cursors and without `sort`, after a position (null: from the first). */
  readonly start: { readonly offset: number } | { readonly after: Position | null };
  /** Maximum number of resources; 0 counts only. */
  readonly limit: number;
}

/** A page of resources. */
export interface ResourcePage<Resource> {
  readonly items: readonly Resource[];
  /** Number of all resources that match. */
  readonly total: number;
}
