import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, Role } from '../../src/contract/permissions.ts';
import {
  hasPermission,
  isAtLeast,
  PERMISSIONS,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
  weakerRole,
} from '../../src/contract/permissions.ts';
import { toPageInfo } from '../../src/paging.ts';

test('the roles are ordered: each is at least itself and those behind it, no more', () => {
  ROLES.forEach((role, rank) => {
    ROLES.forEach((other, otherRank) => {
      assert.equal(isAtLeast(role, other), rank <= otherRank, `${role} ${other}`);
      assert.equal(weakerRole(role, other), ROLES[Math.max(rank, otherRank)]);
    });
  });
});

test('every permission belongs to its lowest role and all above, to none below', () => {
  for (const [permission, least] of Object.entries(PERMISSIONS)) {
    for (const role of ROLES) {
      assert.equal(hasPermission(role, permission as Permission), isAtLeast(role, least));
    }
  }
});

test('the permissions of a role are sorted and include those of the next lower role', () => {
  for (const role of ROLES) {
    const all = permissionsOf(role);
    assert.deepEqual(all, [...all].sort());
    const behind = ROLES[ROLES.indexOf(role) + 1];
    if (behind) for (const permission of permissionsOf(behind)) assert.ok(all.includes(permission));
    assert.ok(ROLE_DESCRIPTIONS[role].length > 0);
  }
  assert.deepEqual(permissionsOf('owner'), Object.keys(PERMISSIONS).sort());
});

test('a page reports whether more items follow', () => {
  const info = (offset: number, total: number) => toPageInfo({ limit: 10, offset }, total).has_more;
  assert.deepEqual(
    [info(0, 10), info(0, 11), info(10, 11), info(50, 11)],
    [false, true, false, false],
  );
});

test('a role or permission that does not exist has no right and is the weaker one', () => {
  for (const junk of ['root', '', 'OWNER', undefined, null, 0, 'constructor'] as unknown[]) {
    const role = junk as Role;
    for (const permission of Object.keys(PERMISSIONS)) {
      assert.equal(hasPermission(role, permission as Permission), false, `${junk}`);
    }
    assert.equal(hasPermission('owner', junk as Permission), false, `${junk}`);
    assert.equal(weakerRole(role, 'owner'), role);
    assert.equal(weakerRole('owner', role), role);
    assert.deepEqual(permissionsOf(role), []);
  }
});
