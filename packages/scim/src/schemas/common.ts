import { attribute, complex, reference } from './define.ts';
import type { AttributeDefinition } from './types.ts';

const READ_ONLY = { mutability: 'readOnly' } as const;

/**
 * Attributes of every resource (RFC 7643, section 3), which schemas do not list. `externalId` is one of them but is
 * in the schemas of users and groups, where clients look for it.
 */
export const COMMON_ATTRIBUTES: readonly AttributeDefinition[] = [
  reference('schemas', 'URNs of the schemas of the resource.', ['uri'], {
    multiValued: true,
    required: true,
    returned: 'always',
    caseExact: false,
  }),
  attribute('id', 'Identifier of the resource.', {
    ...READ_ONLY,
    required: true,
    returned: 'always',
    caseExact: true,
    uniqueness: 'server',
  }),
  complex(
    'meta',
    'Facts about the resource.',
    [
      attribute('resourceType', 'Name of the resource type.', {
        ...READ_ONLY,
        caseExact: true,
        canonicalValues: ['User', 'Group'],
      }),
      attribute('created', 'Time of creation.', { ...READ_ONLY, type: 'dateTime' }),
      attribute('lastModified', 'Time of the last change.', { ...READ_ONLY, type: 'dateTime' }),
      reference('location', 'URI of the resource.', ['uri'], READ_ONLY),
      attribute('version', 'Version of the resource, the value of its ETag.', {
        ...READ_ONLY,
        caseExact: true,
      }),
    ],
    READ_ONLY,
  ),
];
