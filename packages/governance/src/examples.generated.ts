import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createPolicy: {
    request: {
      name: 'Contacts are redacted',
      description: 'Replaces addresses and telephone numbers in answers.',
      rules: [
        {
          stage: 'pii_scanner',
          types: ['email', 'phone_number'],
          action: 'redact',
        },
      ],
      default: false,
    },
    responses: {
      '201': {
        data: {
          id: 'pol_2',
          version: 1,
          name: 'Contacts are redacted',
          description: 'Replaces addresses and telephone numbers in answers.',
          enabled: true,
          mode: 'enforce',
          default: false,
          keyIds: null,
          rules: [
            {
              stage: 'pii_scanner',
              action: 'redact',
              types: ['email', 'phone_number'],
            },
          ],
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  createProtectedText: {
    request: {
      name: 'Price list',
      text: 'Partners in the northern region have a rebate of fourteen percent on orders above nine hundred pieces.',
    },
    responses: {
      '201': {
        data: {
          id: 'ptx_2',
          name: 'Price list',
          kind: 'text',
          length: 102,
          hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  dryRunPolicy: {
    request: {
      rules: [
        {
          stage: 'pii_scanner',
          action: 'block',
        },
      ],
      last: 100,
    },
    responses: {
      '200': {
        data: {
          scans: 4,
          isComplete: true,
          before: {
            allowed: 1,
            flagged: 1,
            blocked: 2,
          },
          after: {
            allowed: 1,
            flagged: 1,
            blocked: 2,
          },
          changed: 0,
          changes: [],
        },
      },
    },
  },
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
  getPolicy: {
    responses: {
      '200': {
        data: {
          id: 'pol_1',
          version: 1,
          name: 'Contacts are redacted',
          description: 'Replaces addresses and telephone numbers in answers.',
          enabled: true,
          mode: 'enforce',
          default: false,
          keyIds: null,
          rules: [
            {
              stage: 'pii_scanner',
              action: 'redact',
              types: ['email', 'phone_number'],
            },
          ],
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getProtectedText: {
    responses: {
      '200': {
        data: {
          id: 'ptx_1',
          name: 'Price list',
          kind: 'text',
          length: 102,
          hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
          text: 'Partners in the northern region have a rebate of fourteen percent on orders above nine hundred pieces.',
        },
      },
    },
  },
  getScan: {
    responses: {
      '200': {
        data: {
          id: 'scn_2',
          kind: 'single',
          verdict: 'blocked',
          scores: {
            pii: 0.9905,
            injection: 0.0132,
            toxicity: 0.063481,
            hallucination: 0,
          },
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
          findingCount: 2,
          policies: [
            {
              id: 'pol_builtin',
              version: 1,
              mode: 'enforce',
            },
          ],
          monitored: [],
          violation: {
            policyId: 'pol_builtin',
            code: 'PII_DETECTED',
            reason: 'pii_scanner found ssn, credit_card',
          },
          unfinished: [],
          metadata: {},
          aiSystemId: null,
          memberId: 'mem_1',
          keyId: 'key_1',
          promptHash: null,
          responseHash: '6c8f5449164b83c9db314887f41eb5019328eb092eb19f603567cae26afd5e96',
          contextHash: null,
          messagesHash: null,
          durationMs: 1.5,
          createdAt: '2026-01-01T12:00:00.000Z',
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
  listPolicies: {
    responses: {
      '200': {
        data: [
          {
            id: 'pol_builtin',
            version: 1,
            name: 'Built-in policy',
            description: null,
            enabled: true,
            mode: 'enforce',
            default: true,
            keyIds: null,
            rules: [
              {
                stage: 'pii_scanner',
                threshold: 0.6,
                action: 'block',
              },
            ],
            createdAt: null,
            updatedAt: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listPolicyVersions: {
    responses: {
      '200': {
        data: [
          {
            policyId: 'pol_1',
            version: 1,
            name: 'Contacts are redacted',
            description: 'Replaces addresses and telephone numbers in answers.',
            enabled: true,
            mode: 'enforce',
            default: false,
            keyIds: null,
            rules: [
              {
                stage: 'pii_scanner',
                action: 'redact',
                types: ['email', 'phone_number'],
              },
            ],
            memberId: 'mem_1',
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
  listProtectedTexts: {
    responses: {
      '200': {
        data: [
          {
            id: 'ptx_1',
            name: 'Price list',
            kind: 'text',
            length: 102,
            hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
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
  listScans: {
    responses: {
      '200': {
        data: [
          {
            id: 'scn_1',
            kind: 'single',
            verdict: 'blocked',
            scores: {
              pii: 0.9905,
              injection: 0.0132,
              toxicity: 0.063481,
              hallucination: 0,
            },
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
            findingCount: 2,
            policies: [
              {
                id: 'pol_builtin',
                version: 1,
                mode: 'enforce',
              },
            ],
            monitored: [],
            violation: {
              policyId: 'pol_builtin',
              code: 'PII_DETECTED',
              reason: 'pii_scanner found ssn, credit_card',
            },
            unfinished: [],
            metadata: {},
            aiSystemId: null,
            memberId: 'mem_1',
            keyId: 'key_1',
            promptHash: null,
            responseHash: '6c8f5449164b83c9db314887f41eb5019328eb092eb19f603567cae26afd5e96',
            contextHash: null,
            messagesHash: null,
            durationMs: 1.5,
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
  restoreRedacted: {
    request: {
      text: 'Write to the address above.',
      redactionMap:
        '4bb06f8e.r1.OcNuLPueSbBv9zwZCptxbHnf3Dd_jZ5usrKClSyt2mSFr4O1YUZOKCIMYRTfQa1ouHEaREDoIWJw8n1RGUdTcnwwbl838A4XUajNyrs',
    },
    responses: {
      '200': {
        data: {
          text: 'Write to the address above.',
        },
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
          policies: [
            {
              id: 'pol_builtin',
              version: 1,
              mode: 'enforce',
            },
          ],
          monitored: [],
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
          policy_version: 1,
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
          policies: [
            {
              id: 'pol_builtin',
              version: 1,
              mode: 'enforce',
            },
          ],
          monitored: [],
        },
      },
    },
  },
  updatePolicy: {
    request: {
      mode: 'monitor',
    },
    responses: {
      '200': {
        data: {
          id: 'pol_3',
          version: 2,
          name: 'Contacts are redacted',
          description: 'Replaces addresses and telephone numbers in answers.',
          enabled: true,
          mode: 'monitor',
          default: false,
          keyIds: null,
          rules: [
            {
              stage: 'pii_scanner',
              action: 'redact',
              types: ['email', 'phone_number'],
            },
          ],
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  updateProtectedText: {
    request: {
      name: 'Prices of partners',
    },
    responses: {
      '200': {
        data: {
          id: 'ptx_3',
          name: 'Prices of partners',
          kind: 'text',
          length: 102,
          hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
};
