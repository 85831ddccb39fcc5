import { attribute, complex, reference } from './define.ts';
import type { SchemaDefinition } from './types.ts';
import { EXTERNAL_ID } from './user.ts';

/** URN of the schema of groups. */
export const GROUP_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The schema of groups (RFC 7643, section 4.2). */
export const GROUP_SCHEMA: SchemaDefinition = {
  id: GROUP_SCHEMA_ID,
  name: 'Group',
  description: 'Group',
  attributes: [
    attribute('displayName', 'Name of the group, unique within the organization.', {
      required: true,
      uniqueness: 'server',
    }),
    EXTERNAL_ID,
    complex(
      'members',
      'Users and groups that belong to the group.',
      [
        attribute('value', 'Id of the member.', { mutability: 'immutable', caseExact: true }),
        reference('$ref', 'URI of the member.', ['User', 'Group'], { mutability: 'immutable' }),
        attribute('type', 'Whether the member is a user or a group.', {
          mutability: 'immutable',
          canonicalValues: ['User', 'Group'],
        }),
        attribute('display', 'Name of the member.', { mutability: 'readOnly' }),
      ],
      { multiValued: true },
    ),
  ],
};
