/**
 * Roles from most to least powerful; each includes the rights of those after it (specification,
 * "Roles").
 */
export const ROLES = ['owner', 'admin', 'editor', 'member', 'viewer'] as const;

/** A member's role in an organization. */
export type Role = (typeof ROLES)[number];

/** Description of each role, as shown to people. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'Full access, billing management, organization deletion',
  admin: 'Manage members, policies, settings, dashboards',
  editor: 'Manage policies, view dashboards, manage alerts',
  member: 'View dashboards, manage own settings',
  viewer: 'Read-only access to dashboards',
};

/**
 * The only permission table: each `resource:action` with the lowest role that has it. Authorizes
 * every request; `GET /v1/roles` returns it.
 */
export const PERMISSIONS = {
  'organization:read': 'viewer',
  'organization:update': 'admin',
  'organization:delete': 'owner',
  'roles:read': 'viewer',
  'session:read': 'viewer',
  'session:write': 'viewer',
  'members:read': 'viewer',
  'members:leave': 'viewer',
  'members:write': 'admin',
  'invitations:read': 'admin',
  'invitations:write': 'admin',
  'audit_log:read': 'admin',
  'api_keys:read': 'admin',
  'api_keys:write': 'admin',
  'scim:read': 'admin',
  'scim:write': 'owner',
  'provisioning:read': 'admin',
  'provisioning:write': 'admin',
  'subscription:read': 'admin',
  'subscription:update': 'owner',
  'invoices:read': 'admin',
  'usage:read': 'viewer',
  'instances:write': 'member',
  'instance_usage:write': 'editor',
  'instance_usage:withdraw': 'admin',
  'scans:create': 'member',
  'scans:read': 'viewer',
  'redactions:restore': 'member',
  'content:verify': 'member',
  'certificates:read': 'viewer',
  'certificates:write': 'editor',
  'policies:read': 'viewer',
  'policies:write': 'editor',
  'protected_texts:read': 'editor',
  'protected_texts:write': 'editor',
  'alerts:read': 'viewer',
  'alerts:write': 'editor',
  'governance_settings:read': 'viewer',
  'governance_settings:write': 'admin',
  'webhooks:read': 'viewer',
  'webhooks:write': 'admin',
  'webhook_portal_tokens:read': 'admin',
  'webhook_portal_tokens:write': 'admin',
  'webhook_payloads:read': 'admin',
  'evidence:read': 'viewer',
  'evidence:write': 'editor',
  'ai_systems:read': 'viewer',
  'ai_systems:write': 'editor',
  'incidents:create': 'editor',
  'integrations:read': 'viewer',
  'integrations:write': 'admin',
  'knowledge:read': 'viewer',
  'knowledge:write': 'editor',
} as const satisfies Record<string, Role>;

/** A permission: one action on one kind of resource. */
export type Permission = keyof typeof PERMISSIONS;

/** The rights of a role; each role includes the rights of the lower ones. */
export interface RightsOfRole {
  readonly role: Role;
  readonly permissions?: undefined;
}

/** The rights of a caller without a role. */
export interface ListedRights {
  readonly role: null;
  /** All that the caller may do. */
  readonly permissions: readonly Permission[];
}

/** The rights of a caller: all rights of its role or, without a role, the listed permissions. */
export type Rights = RightsOfRole | ListedRights;

/**
 * Whether `role` is the same as `other` or above it; never for a role that does not exist, nor for a
 * caller without a role.
 */
export function isAtLeast(role: Role | null, other: Role): boolean {
  return isRole(role) && isRole(other) && ROLES.indexOf(role) <= ROLES.indexOf(other);
}

function isRole(role: Role | null): role is Role {
  return role !== null && ROLES.includes(role);
}

/** The weaker of two roles. */
export function weakerRole(left: Role, right: Role): Role {
  if (!isRole(right)) return right;
  return isAtLeast(left, right) ? right : left;
}

/** Whether `role` has `permission`. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return isAtLeast(role, PERMISSIONS[permission]);
}

/** Whether a caller with these rights has `permission`. */
export function isPermitted({ role, permissions }: Rights, permission: Permission): boolean {
  return role === null ? permissions.includes(permission) : hasPermission(role, permission);
}

/** Whether the rights include everything that was permitted before. */
export function includesRights(now: Rights, before: Rights): boolean {
  if (before.role !== null) return isAtLeast(now.role, before.role);
  return before.permissions.every((permission) => isPermitted(now, permission));
}

/** All permissions of a caller with these rights, in alphabetical order. */
export function permissionsWith({ role, permissions }: Rights): Permission[] {
  return role === null ? [...new Set(permissions)].sort() : permissionsOf(role);
}

/** All permissions of a role, in alphabetical order. */
export function permissionsOf(role: Role): Permission[] {
  const all = Object.keys(PERMISSIONS) as Permission[];
  return all.filter((permission) => hasPermission(role, permission)).sort();
}
