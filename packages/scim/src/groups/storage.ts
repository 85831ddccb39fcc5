import type {
  GroupMember,
  ResourcePage,
  ResourceQuery,
  ScimGroup,
  UserGroup,
} from '../resources/types.ts';

/** Read operations on groups. */
export interface GroupReads {
  findGroup(organizationId: string, id: string): Promise<ScimGroup | null>;
  /** By displayName without regard to case. */
  findGroupByName(organizationId: string, displayName: string): Promise<ScimGroup | null>;
  listGroups(organizationId: string, query: ResourceQuery): Promise<ResourcePage<ScimGroup>>;
  countGroups(organizationId: string): Promise<number>;
  /** The members of each of these groups, in the order in which they were added, ties by id. */
  listGroupMembers(
    organizationId: string,
    groupIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly GroupMember[]>>;
  /** The groups of each of these users or groups, direct ones first, then by name. */
  listGroupsOf(
    organizationId: string,
    memberIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly UserGroup[]>>;
}

/** What became of an addition of members. */
export interface AddedMembers {
  /** The ids that are neither a user nor a group of the organization; nothing is added when there are any. */
  readonly unknown: readonly string[];
  /** Number of members that the group did not have before. */
  readonly added: number;
  /** Which of the ids are groups. */
  readonly groups: readonly string[];
}

/**
 * Write operations on groups. Memberships are rows: adding and removing some reads and writes no others, so parallel
 * changes of one group lose nothing.
 */
export interface GroupWrites {
  /** @throws ProbityError `already_exists` when the organization has a group with this name, in any case */
  insertGroup(group: ScimGroup): Promise<void>;
  /** As `updateUser` of users. */
  updateGroup(group: ScimGroup): Promise<boolean>;
  /**
   * The group, which no other transaction changes or deletes until this one ends. Adapters whose transactions run one
   * after another read it.
   */
  lockGroup(organizationId: string, id: string): Promise<ScimGroup | null>;
  /** Counts a change of the members: increments the version and sets `lastModifiedAt`. */
  touchGroup(organizationId: string, id: string, at: Date): Promise<ScimGroup | null>;
  /** Removes the group with its memberships, also its own in other groups, which count that as a change. */
  deleteGroup(organizationId: string, id: string, at: Date): Promise<boolean>;
  /**
   * Keeps these users and groups until this transaction ends; it is called before the group that they are added to is
   * locked or inserted. A deletion holds its user or group before it changes groups, so that the two never wait for each
   * other. `unlessIn` names a group whose members need not be kept. Adapters whose transactions run one after another
   * have nothing to do.
   */
  keepMembers(
    organizationId: string,
    memberIds: readonly string[],
    unlessIn: string | null,
  ): Promise<void>;
  /**
   * Adds users and groups as members of a group that this transaction inserted or locked; those that are members
   * already stay. A user or group that another transaction deletes meanwhile is not a member afterwards.
   */
  addGroupMembers(
    organizationId: string,
    groupId: string,
    memberIds: readonly string[],
    at: Date,
  ): Promise<AddedMembers>;
  /** Removes members and returns their number; ids that are no members are ignored. Null removes all. */
  removeGroupMembers(
    organizationId: string,
    groupId: string,
    memberIds: readonly string[] | null,
  ): Promise<number>;
}
