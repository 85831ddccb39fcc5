import { ProbityError } from '@probity/core';
import type { GroupReads, GroupWrites } from './storage.ts';

async function refuse(): Promise<never> {
  throw new ProbityError('not_implemented', 'this application has no groups');
}

const nothing = async () => null;

/** The part of a `ScimStorage` for an application without groups: lists are empty, and none can be created. */
export const NO_GROUPS: GroupReads & GroupWrites = Object.freeze({
  findGroup: nothing,
  findGroupByName: nothing,
  listGroups: async () => ({ items: [], total: 0 }),
  countGroups: async () => 0,
  listGroupMembers: async () => new Map(),
  listGroupsOf: async () => new Map(),
  insertGroup: refuse,
  updateGroup: async () => false,
  lockGroup: nothing,
  touchGroup: nothing,
  deleteGroup: async () => false,
  keepMembers: async () => undefined,
  addGroupMembers: refuse,
  removeGroupMembers: async () => 0,
});
