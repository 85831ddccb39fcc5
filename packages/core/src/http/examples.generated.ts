import type { OperationExamples } from './documentation.ts';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  getHealth: {
    responses: {
      '200': {
        status: 'ok',
        timestamp: '2026-01-01T12:00:00.000Z',
        checks: {
          database: 'ok',
        },
      },
    },
  },
  getOpenApiDocument: {
    responses: {
      '200': {
        openapi: '3.1.0',
        info: {
          contact: {
            name: 'Probity',
          },
          license: {
            name: 'Apache-2.0',
            identifier: 'Apache-2.0',
          },
          title: 'Probity',
          version: '1.0.0',
          description:
            'Governance for what AI systems say: scans prompts and responses, applies policies, raises alerts and sends events.',
        },
      },
    },
  },
  getReadiness: {
    responses: {
      '200': {
        ready: true,
        checks: {
          database: 'connected',
        },
      },
    },
  },
  getServiceIndex: {
    responses: {
      '200': {
        name: 'Probity',
        description:
          'Governance for what AI systems say: scans prompts and responses, applies policies, raises alerts and sends events.',
        version: '1.0.0',
        docs: 'https://probity.example.com/docs',
        openapi: 'https://probity.example.com/openapi.json',
        health: 'https://probity.example.com/health',
      },
    },
  },
  getStatus: {
    responses: {
      '200': {
        data: {
          apiVersion: '1.0.0',
          status: 'operational',
          lastMaintenance: null,
        },
      },
    },
  },
  getWhoami: {
    responses: {
      '200': {
        data: {
          organizationId: 'org_1',
          memberId: 'mem_1',
          credential: 'key',
          role: 'owner',
          plan: 'enterprise',
          permissions: ['ai_systems:read', 'ai_systems:write'],
        },
      },
    },
  },
};
