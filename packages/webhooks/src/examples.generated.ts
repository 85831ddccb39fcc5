import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  cancelWebhookReplay: {
    responses: {
      '200': {
        data: {
          id: 'rpl_4',
          kind: 'all',
          status: 'canceled',
          total: 10,
          done: 4,
          since: '2025-02-07T17:13:00.000Z',
          until: '2026-01-01T12:00:00.000Z',
          types: ['policy.violated'],
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
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
          format: 'standard',
          active: true,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
          warnings: [],
          secret: 'whsec_1',
        },
      },
    },
  },
  createWebhookPortalToken: {
    request: {
      capabilities: ['view', 'endpoint'],
    },
    responses: {
      '201': {
        data: {
          id: 'ptk_2',
          memberId: 'mem_1',
          capabilities: ['view', 'endpoint'],
          webhookIds: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          expiresAt: '2026-01-01T13:00:00.000Z',
          token: 'ppt_1',
        },
      },
    },
  },
  getEvent: {
    responses: {
      '200': {
        data: {
          id: 'evt_2',
          type: 'certification.revoked',
          timestamp: '2026-01-01T12:00:00.000Z',
          test: true,
          data: {
            certificationId: 'crt_1',
            reason: 'The content was wrong',
          },
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
          format: 'standard',
          active: true,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
          warnings: [],
        },
      },
    },
  },
  getWebhookDelivery: {
    responses: {
      '200': {
        data: {
          id: 'dlv_2',
          eventId: 'evt_1',
          eventType: 'policy.violated',
          test: false,
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
          request: {
            url: 'https://hooks.acme.example/hook',
            headers: {
              'content-type': 'application/json',
              'user-agent': 'Probity-Webhooks/1',
              'x-service-signature':
                'sha256=b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
              'webhook-id': 'evt_1',
              'webhook-timestamp': '1767268800',
              'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
            },
          },
          body: '{"id":"evt_1","type":"alert.created","timestamp":"2026-01-01T12:00:00.000Z","data":{"alertId":"alr_1","severity":"high","type":"pii","message":"Personal data (email)"}}',
        },
      },
    },
  },
  getWebhookReplay: {
    responses: {
      '200': {
        data: {
          id: 'rpl_1',
          kind: 'all',
          status: 'completed',
          total: 5,
          done: 5,
          since: '2025-02-07T17:13:00.000Z',
          until: '2026-01-01T12:00:00.000Z',
          types: ['alert.created', 'policy.violated'],
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getWebhookStats: {
    responses: {
      '200': {
        data: {
          last24Hours: {
            since: '2025-12-31T12:13:00.000Z',
            attempts: 7,
            succeeded: 7,
            successRate: 1,
            p50DurationMs: 35,
            p95DurationMs: 144,
          },
          last7Days: {
            since: '2025-12-25T12:13:00.000Z',
            attempts: 7,
            succeeded: 7,
            successRate: 1,
            p50DurationMs: 35,
            p95DurationMs: 144,
          },
          hours: [
            {
              since: '2025-12-25T12:13:00.000Z',
              attempts: 0,
              succeeded: 0,
              successRate: null,
              p50DurationMs: null,
              p95DurationMs: null,
            },
          ],
        },
      },
    },
  },
  listEvents: {
    responses: {
      '200': {
        data: [
          {
            id: 'evt_1',
            type: 'policy.violated',
            timestamp: '2026-01-01T12:00:00.000Z',
            test: false,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listWebhookDeliveries: {
    responses: {
      '200': {
        data: [
          {
            id: 'dlv_1',
            eventId: 'evt_3',
            eventType: 'alert.created',
            test: false,
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
  listWebhookEventTypes: {
    responses: {
      '200': {
        data: [
          {
            type: 'alert.created',
            description: 'A scan found personal data or a hallucination, or violated a policy.',
            schema: {
              $schema: 'https://json-schema.org/draft/2020-12/schema',
              type: 'object',
              properties: {
                alertId: {
                  type: 'string',
                },
                severity: {
                  type: 'string',
                  enum: ['low', 'medium', 'high', 'critical'],
                },
                type: {
                  type: 'string',
                },
                message: {
                  type: 'string',
                },
              },
              required: ['alertId', 'severity', 'type', 'message'],
            },
            sample: {
              alertId: 'alr_1',
              severity: 'high',
              type: 'pii',
              message: 'Personal data (email)',
            },
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listWebhookPortalTokens: {
    responses: {
      '200': {
        data: [
          {
            id: 'ptk_1',
            memberId: 'mem_1',
            capabilities: ['view'],
            webhookIds: null,
            createdAt: '2026-01-01T12:00:00.000Z',
            expiresAt: '2026-01-01T13:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listWebhookReplays: {
    responses: {
      '200': {
        data: [
          {
            id: 'rpl_1',
            kind: 'all',
            status: 'completed',
            total: 5,
            done: 5,
            since: '2025-02-07T17:13:00.000Z',
            until: '2026-01-01T12:00:00.000Z',
            types: ['alert.created', 'policy.violated'],
            createdAt: '2026-01-01T12:00:00.000Z',
            endedAt: '2026-01-01T12:00:00.000Z',
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
            format: 'standard',
            active: true,
            rateLimit: null,
            ordered: false,
            createdAt: '2026-01-01T12:00:00.000Z',
            disabledAt: null,
            disabledReason: null,
            warnings: [],
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  recoverWebhook: {
    request: {
      since: '2025-02-07T17:13:00.000Z',
    },
    responses: {
      '202': {
        data: {
          id: 'rpl_3',
          kind: 'failed',
          status: 'running',
          total: null,
          done: 0,
          since: '2025-02-07T17:13:00.000Z',
          until: '2026-01-01T12:00:00.000Z',
          types: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: null,
        },
      },
    },
  },
  redeliverWebhookDelivery: {
    responses: {
      '202': {
        data: {
          id: 'dlv_4',
          eventId: 'evt_5',
          eventType: 'certification.revoked',
          test: true,
          status: 'pending',
          attempts: [
            {
              number: 1,
              at: '2026-01-01T12:00:00.000Z',
              durationMs: 1.5,
              responseStatus: null,
              responseBody: null,
              error: 'connect: Connection failed (ECONNREFUSED)',
            },
          ],
          nextAttemptAt: '2026-01-01T12:00:00.000Z',
          createdAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  replayWebhook: {
    request: {
      since: '2025-02-07T17:13:00.000Z',
      until: '2025-02-08T17:13:00.000Z',
    },
    responses: {
      '202': {
        data: {
          id: 'rpl_2',
          kind: 'all',
          status: 'running',
          total: null,
          done: 0,
          since: '2025-02-07T17:13:00.000Z',
          until: '2025-02-08T17:13:00.000Z',
          types: ['certification.revoked'],
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: null,
        },
      },
    },
  },
  rotateWebhookSecret: {
    request: {
      overlap_seconds: 3600,
    },
    responses: {
      '200': {
        data: {
          id: 'whk_5',
          url: 'https://hooks.acme.example/hook',
          events: ['certification.revoked'],
          format: 'standard',
          active: true,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
          warnings: [],
          secret: 'whsec_2',
          overlapEndsAt: '2026-01-01T13:00:00.000Z',
        },
      },
    },
  },
  testWebhook: {
    request: {
      type: 'alert.created',
    },
    responses: {
      '202': {
        data: {
          id: 'dlv_3',
          eventId: 'evt_4',
          eventType: 'alert.created',
          test: true,
          status: 'pending',
          attempts: [],
          nextAttemptAt: '2026-01-01T12:00:00.000Z',
          createdAt: '2026-01-01T12:00:00.000Z',
        },
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
          format: 'standard',
          active: false,
          rateLimit: null,
          ordered: false,
          createdAt: '2026-01-01T12:00:00.000Z',
          disabledAt: null,
          disabledReason: null,
          warnings: [],
        },
      },
    },
  },
};
