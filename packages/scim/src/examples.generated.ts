import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createScimGroup: {
    request: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Team 8b8667e8',
      members: [
        {
          value: '019b7000-0000-7000-8000-000000000045',
        },
      ],
    },
    responses: {
      '201': {
        displayName: 'Team 8b8667e8',
        members: [
          {
            value: '019b7000-0000-7000-8000-000000000045',
            display: 'Bob Gray',
            type: 'User',
          },
        ],
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        id: '019b7000-0000-7000-8000-000000000046',
        meta: {
          resourceType: 'Group',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Groups/019b7000-0000-7000-8000-000000000046',
          version: 'W/"1"',
        },
      },
    },
  },
  createScimUser: {
    request: {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:service:params:scim:schemas:extension:1.0',
      ],
      userName: 'bob@acme.example',
      name: {
        givenName: 'Bob',
        familyName: 'Gray',
      },
      displayName: 'Bob Gray',
      emails: [
        {
          value: 'bob@acme.example',
          type: 'work',
          primary: true,
        },
      ],
      active: true,
      'urn:service:params:scim:schemas:extension:1.0': {
        department: 'Research',
        roles: ['editor'],
      },
    },
    responses: {
      '201': {
        userName: 'bob@acme.example',
        name: {
          familyName: 'Gray',
          givenName: 'Bob',
        },
        displayName: 'Bob Gray',
        active: true,
        emails: [
          {
            value: 'bob@acme.example',
            type: 'work',
            primary: true,
          },
        ],
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:service:params:scim:schemas:extension:1.0',
        ],
        id: '019b7000-0000-7000-8000-000000000044',
        meta: {
          resourceType: 'User',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000044',
          version: 'W/"1"',
        },
        'urn:service:params:scim:schemas:extension:1.0': {
          department: 'Research',
          roles: ['editor'],
        },
      },
    },
  },
  getScimGroup: {
    responses: {
      '200': {
        displayName: 'Team 0954d583',
        members: [
          {
            value: '019b7000-0000-7000-8000-000000000010',
            display: 'Bob Gray',
            type: 'User',
          },
        ],
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        id: '019b7000-0000-7000-8000-000000000009',
        meta: {
          resourceType: 'Group',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Groups/019b7000-0000-7000-8000-000000000009',
          version: 'W/"1"',
        },
      },
    },
  },
  getScimResourceType: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
        id: 'User',
        name: 'User',
        endpoint: '/Users',
        description: 'User Account',
        schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
        schemaExtensions: [
          {
            schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
            required: false,
          },
        ],
        meta: {
          resourceType: 'ResourceType',
          location: 'https://probity.example.com/scim/v2/ResourceTypes/User',
        },
      },
    },
  },
  getScimSchema: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
        id: 'urn:ietf:params:scim:schemas:core:2.0:User',
        name: 'User',
        description: 'User Account',
        attributes: [
          {
            name: 'userName',
            type: 'string',
            multiValued: false,
            description: 'Name that the user signs in with, unique within the organization.',
            required: true,
            caseExact: false,
            mutability: 'readWrite',
            returned: 'default',
            uniqueness: 'server',
          },
        ],
        meta: {
          resourceType: 'Schema',
          location:
            'https://probity.example.com/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
        },
      },
    },
  },
  getScimServiceProviderConfig: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        patch: {
          supported: true,
        },
        bulk: {
          supported: true,
          maxOperations: 500,
          maxPayloadSize: 10485760,
        },
        filter: {
          supported: true,
          maxResults: 1000,
        },
        changePassword: {
          supported: false,
        },
        sort: {
          supported: true,
        },
        etag: {
          supported: true,
        },
        pagination: {
          cursor: true,
          index: true,
          defaultPaginationMethod: 'index',
          defaultPageSize: 100,
          maxPageSize: 1000,
        },
        authenticationSchemes: [
          {
            type: 'oauthbearertoken',
            name: 'OAuth Bearer Token',
            description: 'A SCIM token of the organization in the header Authorization: Bearer.',
            specUri: 'https://www.rfc-editor.org/info/rfc6750',
            primary: true,
          },
        ],
        meta: {
          resourceType: 'ServiceProviderConfig',
          location: 'https://probity.example.com/scim/v2/ServiceProviderConfig',
        },
      },
    },
  },
  getScimUser: {
    responses: {
      '200': {
        userName: 'bob@acme.example',
        name: {
          familyName: 'Gray',
          givenName: 'Bob',
        },
        displayName: 'Bob Gray',
        active: true,
        emails: [
          {
            value: 'bob@acme.example',
            type: 'work',
            primary: true,
          },
        ],
        groups: [
          {
            value: '019b7000-0000-7000-8000-000000000009',
            display: 'Team 0954d583',
            type: 'direct',
          },
        ],
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:service:params:scim:schemas:extension:1.0',
        ],
        id: '019b7000-0000-7000-8000-000000000010',
        meta: {
          resourceType: 'User',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000010',
          version: 'W/"1"',
        },
        'urn:service:params:scim:schemas:extension:1.0': {
          department: 'Research',
          roles: ['editor'],
        },
      },
    },
  },
  issueScimAccessToken: {
    responses: {
      '200': {
        access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZW1fMSJ9.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 3600,
      },
    },
  },
  listScimActivity: {
    responses: {
      '200': {
        requests: [
          {
            time: '2026-01-01T12:00:00.000Z',
            method: 'GET',
            path: '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
            status: 200,
            detail: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listScimGroups: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 1,
        itemsPerPage: 1,
        Resources: [
          {
            displayName: 'Team 0954d583',
            members: [
              {
                value: '019b7000-0000-7000-8000-000000000010',
                display: 'Bob Gray',
                type: 'User',
              },
            ],
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            id: '019b7000-0000-7000-8000-000000000009',
            meta: {
              resourceType: 'Group',
              created: '2026-01-01T12:00:00.000Z',
              lastModified: '2026-01-01T12:00:00.000Z',
              location:
                'https://probity.example.com/scim/v2/Groups/019b7000-0000-7000-8000-000000000009',
              version: 'W/"1"',
            },
          },
        ],
        startIndex: 1,
      },
    },
  },
  listScimResourceTypes: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 2,
        itemsPerPage: 2,
        startIndex: 1,
        Resources: [
          {
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
            id: 'User',
            name: 'User',
            endpoint: '/Users',
            description: 'User Account',
            schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
            schemaExtensions: [
              {
                schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
                required: false,
              },
            ],
            meta: {
              resourceType: 'ResourceType',
              location: 'https://probity.example.com/scim/v2/ResourceTypes/User',
            },
          },
        ],
      },
    },
  },
  listScimResources: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 3,
        itemsPerPage: 1,
        Resources: [
          {
            displayName: 'Team 0954d583',
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            id: '019b7000-0000-7000-8000-000000000009',
          },
        ],
        startIndex: 1,
      },
    },
  },
  listScimSchemas: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 4,
        itemsPerPage: 4,
        startIndex: 1,
        Resources: [
          {
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
            id: 'urn:ietf:params:scim:schemas:core:2.0:User',
            name: 'User',
            description: 'User Account',
            attributes: [
              {
                name: 'userName',
                type: 'string',
                multiValued: false,
                description: 'Name that the user signs in with, unique within the organization.',
                required: true,
                caseExact: false,
                mutability: 'readWrite',
                returned: 'default',
                uniqueness: 'server',
              },
            ],
            meta: {
              resourceType: 'Schema',
              location:
                'https://probity.example.com/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
            },
          },
        ],
      },
    },
  },
  listScimUsers: {
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 1,
        itemsPerPage: 1,
        Resources: [
          {
            userName: 'bob@acme.example',
            name: {
              familyName: 'Gray',
              givenName: 'Bob',
            },
            displayName: 'Bob Gray',
            active: true,
            emails: [
              {
                value: 'bob@acme.example',
                type: 'work',
                primary: true,
              },
            ],
            groups: [
              {
                value: '019b7000-0000-7000-8000-000000000009',
                display: 'Team 0954d583',
                type: 'direct',
              },
            ],
            schemas: [
              'urn:ietf:params:scim:schemas:core:2.0:User',
              'urn:service:params:scim:schemas:extension:1.0',
            ],
            id: '019b7000-0000-7000-8000-000000000010',
            meta: {
              resourceType: 'User',
              created: '2026-01-01T12:00:00.000Z',
              lastModified: '2026-01-01T12:00:00.000Z',
              location:
                'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000010',
              version: 'W/"1"',
            },
            'urn:service:params:scim:schemas:extension:1.0': {
              department: 'Research',
              roles: ['editor'],
            },
          },
        ],
        startIndex: 1,
      },
    },
  },
  patchScimGroup: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        {
          op: 'replace',
          path: 'displayName',
          value: 'Crew',
        },
      ],
    },
    responses: {
      '200': {
        displayName: 'Crew',
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        id: '019b7000-0000-7000-8000-000000000048',
      },
    },
  },
  patchScimUser: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        {
          op: 'replace',
          path: 'active',
          value: false,
        },
      ],
    },
    responses: {
      '200': {
        userName: 'bob@acme.example',
        name: {
          familyName: 'Gray',
          givenName: 'Bob',
        },
        displayName: 'Bob Gray',
        active: false,
        emails: [
          {
            value: 'bob@acme.example',
            type: 'work',
            primary: true,
          },
        ],
        groups: [
          {
            value: '019b7000-0000-7000-8000-000000000048',
            display: 'Team 6ce3609b',
            type: 'direct',
          },
        ],
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:service:params:scim:schemas:extension:1.0',
        ],
        id: '019b7000-0000-7000-8000-000000000045',
        meta: {
          resourceType: 'User',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000045',
          version: 'W/"2"',
        },
        'urn:service:params:scim:schemas:extension:1.0': {
          department: 'Research',
          roles: ['editor'],
        },
      },
    },
  },
  replaceScimGroup: {
    request: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Team 7ecd331b',
      members: [
        {
          value: '019b7000-0000-7000-8000-000000000045',
        },
      ],
    },
    responses: {
      '200': {
        displayName: 'Team 7ecd331b',
        members: [
          {
            value: '019b7000-0000-7000-8000-000000000045',
            display: 'Bob Gray',
            type: 'User',
          },
        ],
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        id: '019b7000-0000-7000-8000-000000000048',
        meta: {
          resourceType: 'Group',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Groups/019b7000-0000-7000-8000-000000000048',
          version: 'W/"3"',
        },
      },
    },
  },
  replaceScimUser: {
    request: {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:service:params:scim:schemas:extension:1.0',
      ],
      userName: 'bob@acme.example',
      name: {
        givenName: 'Bob',
        familyName: 'Gray',
      },
      displayName: 'Bob Gray',
      emails: [
        {
          value: 'bob@acme.example',
          type: 'work',
          primary: true,
        },
      ],
      active: true,
      'urn:service:params:scim:schemas:extension:1.0': {
        department: 'Research',
        roles: ['editor'],
      },
    },
    responses: {
      '200': {
        userName: 'bob@acme.example',
        name: {
          familyName: 'Gray',
          givenName: 'Bob',
        },
        displayName: 'Bob Gray',
        active: true,
        emails: [
          {
            value: 'bob@acme.example',
            type: 'work',
            primary: true,
          },
        ],
        groups: [
          {
            value: '019b7000-0000-7000-8000-000000000048',
            display: 'Crew',
            type: 'direct',
          },
        ],
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:service:params:scim:schemas:extension:1.0',
        ],
        id: '019b7000-0000-7000-8000-000000000045',
        meta: {
          resourceType: 'User',
          created: '2026-01-01T12:00:00.000Z',
          lastModified: '2026-01-01T12:00:00.000Z',
          location:
            'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000045',
          version: 'W/"3"',
        },
        'urn:service:params:scim:schemas:extension:1.0': {
          department: 'Research',
          roles: ['editor'],
        },
      },
    },
  },
  runScimBulk: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      failOnErrors: 1,
      Operations: [
        {
          method: 'POST',
          bulkId: 'bob',
          path: '/Users',
          data: {
            schemas: [
              'urn:ietf:params:scim:schemas:core:2.0:User',
              'urn:service:params:scim:schemas:extension:1.0',
            ],
            userName: 'bob@acme.example',
            name: {
              givenName: 'Bob',
              familyName: 'Gray',
            },
            displayName: 'Bob Gray',
            emails: [
              {
                value: 'bob@acme.example',
                type: 'work',
                primary: true,
              },
            ],
            active: true,
            'urn:service:params:scim:schemas:extension:1.0': {
              department: 'Research',
              roles: ['editor'],
            },
          },
        },
      ],
    },
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
        Operations: [
          {
            method: 'POST',
            bulkId: 'bob',
            version: 'W/"1"',
            location:
              'https://probity.example.com/scim/v2/Users/019b7000-0000-7000-8000-000000000047',
            status: '201',
          },
        ],
      },
    },
  },
  searchScim: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'displayName sw "Team"',
      attributes: ['displayName'],
      count: 1,
    },
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 3,
        itemsPerPage: 1,
        Resources: [
          {
            displayName: 'Team 0954d583',
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            id: '019b7000-0000-7000-8000-000000000009',
          },
        ],
        startIndex: 1,
      },
    },
  },
  searchScimGroups: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'displayName sw "Team"',
      attributes: ['displayName'],
      count: 1,
    },
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 3,
        itemsPerPage: 1,
        Resources: [
          {
            displayName: 'Team 0954d583',
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            id: '019b7000-0000-7000-8000-000000000009',
          },
        ],
        startIndex: 1,
      },
    },
  },
  searchScimUsers: {
    request: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName pr',
      attributes: ['userName'],
      count: 1,
    },
    responses: {
      '200': {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 3,
        itemsPerPage: 1,
        Resources: [
          {
            userName: 'bob@acme.example',
            schemas: [
              'urn:ietf:params:scim:schemas:core:2.0:User',
              'urn:service:params:scim:schemas:extension:1.0',
            ],
            id: '019b7000-0000-7000-8000-000000000010',
          },
        ],
        startIndex: 1,
      },
    },
  },
};
