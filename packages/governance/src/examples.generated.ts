import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  acknowledgeAlert: {
    responses: {
      '200': {
        data: {
          id: 'alr_4',
          type: 'pii',
          severity: 'low',
          status: 'open',
          message: 'Personal data (email) in response; the scan was flagged.',
          scanId: 'scn_6',
          aiSystemId: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          acknowledgedAt: '2026-01-01T12:00:00.000Z',
          acknowledgedBy: 'mem_1',
          assigneeId: null,
          resolvedAt: null,
          resolvedBy: null,
          resolution: null,
        },
      },
    },
  },
  acknowledgeManyAlerts: {
    request: {
      ids: ['alr_7'],
    },
    responses: {
      '200': {
        data: {
          changed: ['alr_7'],
          unchanged: [],
          alreadyResolved: [],
          unknown: [],
        },
      },
    },
  },
  assignAlert: {
    request: {
      memberId: 'mem_1',
    },
    responses: {
      '200': {
        data: {
          id: 'alr_5',
          type: 'pii',
          severity: 'low',
          status: 'open',
          message: 'Personal data (email) in response; the scan was flagged.',
          scanId: 'scn_7',
          aiSystemId: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          acknowledgedAt: null,
          acknowledgedBy: null,
          assigneeId: 'mem_1',
          resolvedAt: null,
          resolvedBy: null,
          resolution: null,
        },
      },
    },
  },
  assignManyAlerts: {
    request: {
      ids: ['alr_8'],
      memberId: 'mem_1',
    },
    responses: {
      '200': {
        data: {
          changed: ['alr_8'],
          unchanged: [],
          alreadyResolved: [],
          unknown: [],
        },
      },
    },
  },
  commentAlert: {
    request: {
      text: 'Asked the team of the chat assistant.',
    },
    responses: {
      '201': {
        data: {
          id: 'act_2',
          memberId: 'mem_1',
          text: 'Asked the team of the chat assistant.',
          createdAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
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
          scans: 5,
          isComplete: true,
          before: {
            allowed: 1,
            flagged: 2,
            blocked: 2,
          },
          after: {
            allowed: 1,
            flagged: 2,
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
          severity: 'low',
          status: 'open',
          message: 'Personal data (email) in response; the scan was flagged.',
          scanId: 'scn_3',
          aiSystemId: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          acknowledgedAt: null,
          acknowledgedBy: null,
          assigneeId: null,
          resolvedAt: null,
          resolvedBy: null,
          resolution: null,
        },
      },
    },
  },
  getGovernanceSettings: {
    responses: {
      '200': {
        data: {
          retention: {
            preset: 'standard',
            scansWithPersonalDataDays: 30,
            scansDays: null,
            resolvedAlertsDays: null,
          },
          updatedAt: null,
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
          durationMs: 1.5,
          createdAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  listAlertComments: {
    responses: {
      '200': {
        data: [
          {
            id: 'act_1',
            memberId: 'mem_1',
            text: 'Asked the team of the chat assistant.',
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
  listAlertHistory: {
    responses: {
      '200': {
        data: [
          {
            id: 'act_1',
            action: 'commented',
            memberId: 'mem_1',
            text: 'Asked the team of the chat assistant.',
            assigneeId: null,
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
            aiSystemId: null,
            createdAt: '2026-01-01T12:00:00.000Z',
            acknowledgedAt: null,
            acknowledgedBy: null,
            assigneeId: null,
            resolvedAt: null,
            resolvedBy: null,
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
  resolveAlert: {
    request: {
      resolution: 'A test number, no customer’s.',
    },
    responses: {
      '200': {
        data: {
          id: 'alr_3',
          type: 'pii',
          severity: 'low',
          status: 'resolved',
          message: 'Personal data (email) in response; the scan was flagged.',
          scanId: 'scn_5',
          aiSystemId: null,
          createdAt: '2026-01-01T12:00:00.000Z',
          acknowledgedAt: null,
          acknowledgedBy: null,
          assigneeId: null,
          resolvedAt: '2026-01-01T12:00:00.000Z',
          resolvedBy: 'mem_1',
          resolution: 'A test number, no customer’s.',
        },
      },
    },
  },
  resolveManyAlerts: {
    request: {
      ids: ['alr_6'],
      resolution: 'A test number, no customer’s.',
    },
    responses: {
      '200': {
        data: {
          changed: ['alr_6'],
          unchanged: [],
          alreadyResolved: [],
          unknown: [],
        },
      },
    },
  },
  restoreRedacted: {
    request: {
      text: 'Write to the address above.',
      redactionMap:
        '4bb06f8e.r1.JGzO3nhIRNLJl7yfQVo3xrOxW3tOd-ONArI6CBMxGDchvomuZ9KYdNQ5s4Fq-hCJI7q6ju_GOjY1xCQH6Ctbr7f85Cm0QxUxDWjUFWY',
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
          id: 'scn_4',
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
          scan_id: 'scn_8',
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
  updateGovernanceSettings: {
    request: {
      retention: {
        scansDays: 365,
        resolvedAlertsDays: 365,
      },
    },
    responses: {
      '200': {
        data: {
          retention: {
            preset: 'standard',
            scansWithPersonalDataDays: 30,
            scansDays: 365,
            resolvedAlertsDays: 365,
          },
          updatedAt: '2026-01-01T12:00:00.000Z',
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
};
