import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createWebhook: {
    request: {
      url: 'https://hooks.acme.example/hook',
      events: ['certification.revoked'],
    },
    responses: {
      '201': {
        data: {
          id: 'whk_3',
          url: 'https://hooks.acme.example/hook',
          events: ['certification.revoked'],
          active: true,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
          secret: 'whsec_1',
        },
      },
    },
  },
  getWebhook: {
    responses: {
      '200': {
        data: {
          id: 'whk_2',
          url: 'https://hooks.acme.example/hook',
          events: ['alert.created', 'policy.violated'],
          active: true,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
        },
      },
    },
  },
  listWebhookDeliveries: {
    responses: {
      '200': {
        data: [
          {
            id: 'dlv_1',
            eventId: 'evt_1',
            eventType: 'policy.violated',
            status: 'delivered',
            attempts: [
              {
                number: 1,
                at: '2026-01-01T12:00:00.000Z',
                durationMs: 1.5,
                responseStatus: 200,
                responseBody: '',
                error: null,
              },
            ],
            nextAttemptAt: null,
            createdAt: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listWebhooks: {
    responses: {
      '200': {
        data: [
          {
            id: 'whk_1',
            url: 'https://hooks.acme.example/hook',
            events: ['certification.revoked'],
            active: true,
            rateLimit: null,
            ordered: false,
            createdAt: '2026-01-01T12:00:00.000Z',
            disabledAt: null,
            disabledReason: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  updateWebhook: {
    request: {
      active: false,
    },
    responses: {
      '200': {
        data: {
          id: 'whk_4',
          url: 'https://hooks.acme.example/hook',
          events: ['certification.revoked'],
          active: false,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
        },
      },
    },
  },
};
