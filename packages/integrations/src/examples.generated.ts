import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  connectChatops: {
    request: {
      tenant_id: '019b7000-0000-7000-8000-000000000061',
      client_id: '019b7000-0000-7000-8000-000000000062',
      client_secret: 'Xq8~dR2pLw.example-secret',
    },
    responses: {
      '201': {
        data: {
          id: 'itg_3',
          type: 'chatops',
          status: 'connected',
          instance_url: null,
          tenant_id: '019b7000-0000-7000-8000-000000000061',
          client_id: '019b7000-0000-7000-8000-000000000062',
          routing: null,
          lastError: null,
          lastErrorAt: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  connectItsm: {
    request: {
      instance_url: 'https://acme.service-now.com',
      client_id: 'probity',
      client_secret: 'Xq8~dR2pLw.example-secret',
    },
    responses: {
      '201': {
        data: {
          id: 'itg_2',
          type: 'itsm',
          status: 'connected',
          instance_url: 'https://acme.service-now.com',
          tenant_id: null,
          client_id: 'probity',
          routing: null,
          lastError: null,
          lastErrorAt: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  createIncident: {
    request: {
      short_description: 'The assistant invented a refund policy',
      description: 'Two answers of the support assistant contradict the knowledge base.',
      category: 'software',
      subcategory: 'ai',
      priority: 2,
      urgency: 1,
      impact: 2,
    },
    responses: {
      '201': {
        data: {
          id: '0d3a5f7e9b1c2d4e6f80a1b2c3d4e5f6',
          number: 'INC0010001',
          url: 'https://acme.service-now.com/nav_to.do?uri=incident.do%3Fsys_id%3D0d3a5f7e9b1c2d4e6f80a1b2c3d4e5f6',
        },
      },
    },
  },
  getIntegration: {
    responses: {
      '200': {
        data: {
          id: 'itg_1',
          type: 'itsm',
          status: 'connected',
          instance_url: 'https://acme.service-now.com',
          tenant_id: null,
          client_id: 'probity',
          routing: null,
          lastError: null,
          lastErrorAt: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  listIntegrations: {
    responses: {
      '200': {
        data: [
          {
            id: 'itg_1',
            type: 'itsm',
            status: 'connected',
            instance_url: 'https://acme.service-now.com',
            tenant_id: null,
            client_id: 'probity',
            routing: null,
            lastError: null,
            lastErrorAt: null,
            createdAt: '2026-01-01T12:00:00.000Z',
            updatedAt: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  testIntegration: {
    responses: {
      '200': {
        data: {
          status: 'connected',
          checks: [
            {
              step: 'token',
              result: 'passed',
              message: null,
            },
          ],
        },
      },
    },
  },
  updateIntegration: {
    request: {
      routing: {
        severities: ['high', 'critical'],
        category: 'software',
      },
    },
    responses: {
      '200': {
        data: {
          id: 'itg_2',
          type: 'itsm',
          status: 'connected',
          instance_url: 'https://acme.service-now.com',
          tenant_id: null,
          client_id: 'probity',
          routing: {
            severities: ['high', 'critical'],
            category: 'software',
          },
          lastError: null,
          lastErrorAt: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
};
