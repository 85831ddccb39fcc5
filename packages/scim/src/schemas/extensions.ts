import { attribute, complex, reference } from './define.ts';
import type { SchemaDefinition } from './types.ts';

/** URN of the enterprise extension of users. */
export const ENTERPRISE_USER_SCHEMA_ID =
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The enterprise extension of users (RFC 7643, section 4.3). */
export const ENTERPRISE_USER_SCHEMA: SchemaDefinition = {
  id: ENTERPRISE_USER_SCHEMA_ID,
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    attribute('employeeNumber', 'Identifier of the user within the organization.'),
    attribute('costCenter', 'Cost center of the user.'),
    attribute('organization', 'Organization of the user.'),
    attribute('division', 'Division of the user.'),
    attribute('department', 'Department of the user.'),
    complex('manager', 'Manager of the user.', [
      attribute('value', 'Id of the manager; any value is kept.', { caseExact: true }),
      reference('$ref', 'URI of the manager.', ['User']),
      attribute('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
    ]),
  ],
};

/** URN of the service's own extension of users. */
export const SERVICE_SCHEMA_ID = 'urn:service:params:scim:schemas:extension:1.0';

/** The service's own extension of users (specification, "SCIM user"). */
export const SERVICE_SCHEMA: SchemaDefinition = {
  id: SERVICE_SCHEMA_ID,
  name: 'ServiceUser',
  description: 'Service User',
  attributes: [
    attribute('department', 'Department of the user.'),
    attribute('organization', 'Organization of the user.'),
    attribute('roles', 'Roles of the user in the service; the highest known one is granted.', {
      multiValued: true,
    }),
  ],
};
