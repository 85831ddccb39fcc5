import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  getAlert: {
    responses: {
      '200': {
        data: {
          id: 'alr_2',
          type: 'pii',
          severity: 'critical',
          status: 'open',
          message: 'Personal data (ssn, credit_card) in response; the scan was blocked.',
          scanId: 'scn_2',
          createdAt: '2026-01-01T12:00:00.000Z',
          resolvedAt: null,
          resolution: null,
        },
      },
    },
  },
  listAlerts: {
    responses: {
      '200': {
        data: [
          {
            id: 'alr_1',
            type: 'pii',
            severity: 'critical',
            status: 'open',
            message: 'Personal data (ssn, credit_card) in response; the scan was blocked.',
            scanId: 'scn_1',
            createdAt: '2026-01-01T12:00:00.000Z',
            resolvedAt: null,
            resolution: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  scan: {
    request: {
      response: 'All is well.',
    },
    responses: {
      '200': {
        data: {
          id: 'scn_3',
          verdict: 'allowed',
          scores: {
            pii: 0,
            injection: 0.0107,
            toxicity: 0.243503,
            hallucination: 0,
          },
          stages: [
            {
              name: 'pii_scanner',
              status: 'ok',
              durationMs: 1.5,
            },
          ],
          findings: [],
          policyIds: ['pol_builtin'],
          durationMs: 1.5,
          createdAt: '2026-01-01T12:00:00.000Z',
        },
      },
      '403': {
        error: {
          code: 'PII_DETECTED',
          message: 'Personal data was detected, and a policy blocks it.',
          statusCode: 403,
          requestId: 'req_2',
        },
        governance: {
          verdict: 'blocked',
          policy_id: 'pol_builtin',
          violation_reason: 'pii_scanner found ssn, credit_card',
          scan_id: 'scn_4',
          scores: {
            pii: 0.9905,
            injection: 0.0132,
            toxicity: 0.063481,
            hallucination: 0,
          },
          stages: [
            {
              name: 'pii_scanner',
              status: 'ok',
              durationMs: 1.5,
            },
          ],
          findings: [
            {
              type: 'ssn',
              start: 11,
              end: 22,
              score: 0.99,
              stage: 'pii_scanner',
              action: 'block',
              field: 'response',
            },
          ],
        },
      },
    },
  },
};
