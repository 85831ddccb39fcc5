import assert from 'node:assert/strict';
import { ProbityError } from '@probity/core';
import { applyGroupPatch, applyUserPatch, planGroupPatch } from '../../src/patch/apply.ts';
import { parsePatch } from '../../src/patch/parse.ts';
import type { MemberChange } from '../../src/patch/types.ts';
import type { GroupAttributes, UserAttributes } from '../../src/resources/input.ts';
import { GROUP, USER } from '../../src/schemas/resource-types.ts';
import type { JsonObject } from '../../src/schemas/types.ts';

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A user with an e-mail address of type work. */
export function userOf(attributes: JsonObject = {}): UserAttributes {
  return {
    userName: 'ann@example.com',
    externalId: '701984',
    active: true,
    attributes: {
      emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
      ...attributes,
    },
  };
}

/** The user after a PATCH with these operations. */
export function patched(user: UserAttributes, ...operations: readonly unknown[]): UserAttributes {
  return applyUserPatch(user, parsePatch({ schemas: [PATCH_OP], Operations: operations }, USER));
}

/** The attributes, without e-mails, of a user after a PATCH. */
export function patchedAttributes(attributes: JsonObject, ...operations: readonly unknown[]) {
  const { emails: _, ...others } = patched(userOf(attributes), ...operations).attributes;
  return others;
}

/** The changes of a group's members by a PATCH. */
export function memberChanges(...operations: readonly unknown[]): readonly MemberChange[] {
  return planGroupPatch(parsePatch({ Operations: operations }, GROUP)).members;
}

/** The attributes of a group after a PATCH. */
export function patchedGroup(...operations: readonly unknown[]): GroupAttributes {
  const group = { displayName: 'Tour Guides', externalId: 'g-1', attributes: {} };
  return applyGroupPatch(
    group,
    planGroupPatch(parsePatch({ Operations: operations }, GROUP)).attributes,
  );
}

/** The error that `work` throws: always one that SCIM answers with a status of 4xx. */
export function refusal(work: () => unknown): { scimType: string | undefined; detail: string } {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ProbityError, String(error));
    assert.ok(error.status >= 400 && error.status < 500);
    return { scimType: error.reason, detail: error.message };
  }
  throw new assert.AssertionError({ message: 'the request was accepted' });
}
