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
          scanId: 'scn_9',
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
          scanId: 'scn_10',
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
  cancelScanBatch: {
    responses: {
      '200': {
        data: {
          id: 'scn_6',
          kind: 'batch',
          status: 'canceled',
          total: 400,
          pending: 0,
          allowed: 1,
          flagged: 0,
          blocked: 0,
          errors: 0,
          canceled: 399,
          memberId: 'mem_1',
          keyId: 'key_1',
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: '2026-01-01T12:00:00.000Z',
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
  createModeration: {
    request: {
      input: 'Write to maria.keller@example.org.',
    },
    responses: {
      '200': {
        id: 'modr-scn_12',
        model: 'probity',
        results: [
          {
            flagged: false,
            categories: {
              harassment: false,
              'harassment/threatening': false,
              hate: false,
              'hate/threatening': false,
              illicit: false,
              'illicit/violent': false,
              'self-harm': false,
              'self-harm/instructions': false,
              'self-harm/intent': false,
              sexual: false,
              'sexual/minors': false,
              violence: false,
              'violence/graphic': false,
            },
            category_scores: {
              harassment: 0,
              'harassment/threatening': 0,
              hate: 0,
              'hate/threatening': 0,
              illicit: 0,
              'illicit/violent': 0,
              'self-harm': 0,
              'self-harm/instructions': 0,
              'self-harm/intent': 0,
              sexual: 0,
              'sexual/minors': 0,
              violence: 0,
              'violence/graphic': 0,
            },
            category_applied_input_types: {
              harassment: ['text'],
              'harassment/threatening': [],
              hate: ['text'],
              'hate/threatening': [],
              illicit: [],
              'illicit/violent': [],
              'self-harm': ['text'],
              'self-harm/instructions': [],
              'self-harm/intent': [],
              sexual: ['text'],
              'sexual/minors': [],
              violence: ['text'],
              'violence/graphic': [],
            },
          },
        ],
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
  createScanBatch: {
    request: {
      items: [
        {
          prompt: 'How do I reach Maria?',
          response: 'Write to maria.keller@example.org.',
        },
      ],
    },
    responses: {
      '202': {
        data: {
          id: 'scn_5',
          kind: 'batch',
          status: 'running',
          total: 2,
          pending: 2,
          allowed: 0,
          flagged: 0,
          blocked: 0,
          errors: 0,
          canceled: 0,
          memberId: 'mem_1',
          keyId: 'key_1',
          createdAt: '2026-01-01T12:00:00.000Z',
          endedAt: null,
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
          scans: 10,
          isComplete: true,
          before: {
            allowed: 4,
            flagged: 3,
            blocked: 3,
          },
          after: {
            allowed: 4,
            flagged: 2,
            blocked: 4,
          },
          changed: 1,
          changes: [
            {
              scanId: 'scn_7',
              before: 'flagged',
              after: 'blocked',
              reason: 'pii_scanner found email',
              createdAt: '2026-01-01T12:00:00.000Z',
            },
          ],
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
  getCertificate: {
    responses: {
      '200': {
        data: {
          id: 'crt_1',
          state: 'valid',
          organizationId: 'org_1',
          contentHash: '21548d46d0c01475dbb7166c20967c7bfa8da9305cf1a0301e9fb5fb67c5973f',
          algorithm: 'sha-256',
          issuedAt: '2026-01-01T12:00:00.000Z',
          expiresAt: '2027-01-01T12:00:00.000Z',
          revokedAt: null,
          keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
          revocationReason: null,
          nuggets: [
            {
              id: 'nug_1',
              version: 2,
              state: 'current',
            },
          ],
          url: 'https://probity.example.com/api/v1/trust/certificates/crt_1',
          pageUrl: 'https://probity.example.com/certificates/crt_1',
        },
      },
    },
  },
  getCertificateKeys: {
    responses: {
      '200': {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
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
  getPublicCertificate: {
    responses: {
      '200': {
        data: {
          id: 'crt_1',
          state: 'valid',
          organizationId: 'org_1',
          contentHash: '21548d46d0c01475dbb7166c20967c7bfa8da9305cf1a0301e9fb5fb67c5973f',
          algorithm: 'sha-256',
          issuedAt: '2026-01-01T12:00:00.000Z',
          expiresAt: '2027-01-01T12:00:00.000Z',
          revokedAt: null,
          keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
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
          verdict: 'allowed',
          scores: {
            pii: 0,
            injection: 0.0041,
            toxicity: 0.165848,
            hallucination: 0,
          },
          findings: [],
          findingCount: 0,
          policies: [
            {
              id: 'pol_builtin',
              version: 1,
              mode: 'enforce',
            },
          ],
          monitored: [],
          violation: null,
          unfinished: [],
          metadata: {},
          aiSystemId: null,
          memberId: 'mem_1',
          keyId: 'key_1',
          promptHash: null,
          responseHash: '5ee528f5487d9390d6bfda89b39347a3c6bc547101afc769e83b06ca323a5d91',
          contextHash: null,
          messagesHash: null,
          durationMs: 1.5,
          createdAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  guardAgentgatewayRequest: {
    request: {
      body: {
        messages: [
          {
            role: 'user',
            content: 'Write to maria.keller@example.org.',
          },
        ],
      },
    },
    responses: {
      '200': {
        action: {},
      },
    },
  },
  guardAgentgatewayResponse: {
    request: {
      body: {
        choices: [
          {
            message: {
              role: 'assistant',
              content: 'Write to maria.keller@example.org.',
            },
          },
        ],
      },
    },
    responses: {
      '200': {
        action: {},
      },
    },
  },
  guardLitellm: {
    request: {
      input_type: 'request',
      texts: ['Write to maria.keller@example.org.'],
      litellm_call_id: 'call-1',
      request_data: {},
    },
    responses: {
      '200': {
        action: 'NONE',
      },
    },
  },
  guardPortkey: {
    request: {
      eventType: 'afterRequestHook',
      provider: 'openai',
      requestType: 'chatComplete',
      request: {
        json: {
          messages: [
            {
              role: 'user',
              content: 'Hi',
            },
          ],
        },
        text: 'Hi',
      },
      response: {
        json: {
          choices: [
            {
              message: {
                role: 'assistant',
                content: 'Write to maria.keller@example.org.',
              },
            },
          ],
        },
        text: 'Write to maria.keller@example.org.',
      },
    },
    responses: {
      '200': {
        verdict: true,
        data: {
          reason: null,
          scanId: 'scn_11',
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
  listCertificates: {
    responses: {
      '200': {
        data: [
          {
            id: 'crt_1',
            state: 'valid',
            organizationId: 'org_1',
            contentHash: '21548d46d0c01475dbb7166c20967c7bfa8da9305cf1a0301e9fb5fb67c5973f',
            algorithm: 'sha-256',
            issuedAt: '2026-01-01T12:00:00.000Z',
            expiresAt: '2027-01-01T12:00:00.000Z',
            revokedAt: null,
            keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
            revocationReason: null,
            nuggets: [
              {
                id: 'nug_1',
                version: 2,
              },
            ],
            url: 'https://probity.example.com/api/v1/trust/certificates/crt_1',
            pageUrl: 'https://probity.example.com/certificates/crt_1',
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
  listScanBatchItems: {
    responses: {
      '200': {
        data: [
          {
            index: 0,
            status: 'completed',
            scanId: 'scn_2',
            verdict: 'allowed',
            error: null,
            scan: {
              id: 'scn_2',
              kind: 'single',
              verdict: 'allowed',
              scores: {
                pii: 0,
                injection: 0.0041,
                toxicity: 0.165848,
                hallucination: 0,
              },
              findings: [],
              findingCount: 0,
              policies: [
                {
                  id: 'pol_builtin',
                  version: 1,
                  mode: 'enforce',
                },
              ],
              monitored: [],
              violation: null,
              unfinished: [],
              metadata: {},
              aiSystemId: null,
              memberId: 'mem_1',
              keyId: 'key_1',
              promptHash: null,
              responseHash: '5ee528f5487d9390d6bfda89b39347a3c6bc547101afc769e83b06ca323a5d91',
              contextHash: null,
              messagesHash: null,
              durationMs: 1.5,
              createdAt: '2026-01-01T12:00:00.000Z',
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
          scanId: 'scn_8',
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
        '4bb06f8e.r1.8VRCuZex_eZS0zVyNtDXAQ0DzLhIcPriDn-SL9mop1Ysgvlrdovk4GIEfVy446rbKetRASJ7tEoov57RrXwg1Flw7EJ3_BJIHEWKyNc',
    },
    responses: {
      '200': {
        data: {
          text: 'Write to the address above.',
        },
      },
    },
  },
  revokeCertificate: {
    request: {
      reason: 'The terms have changed.',
    },
    responses: {
      '200': {
        data: {
          id: 'crt_3',
          state: 'revoked',
          organizationId: 'org_1',
          contentHash: '21548d46d0c01475dbb7166c20967c7bfa8da9305cf1a0301e9fb5fb67c5973f',
          algorithm: 'sha-256',
          issuedAt: '2026-01-01T12:00:00.000Z',
          expiresAt: '2027-01-01T12:00:00.000Z',
          revokedAt: '2026-01-01T12:00:00.000Z',
          keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
          revocationReason: 'The terms have changed.',
          nuggets: [
            {
              id: 'nug_1',
              version: 2,
            },
          ],
          url: 'https://probity.example.com/api/v1/trust/certificates/crt_3',
          pageUrl: 'https://probity.example.com/certificates/crt_3',
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
          scan_id: 'scn_13',
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
  verifyContent: {
    request: {
      content: 'Refunds are possible within 30 days after the purchase.',
      certify: true,
    },
    responses: {
      '200': {
        data: {
          verdict: 'verified',
          claims: [
            {
              text: 'Refunds are possible within 30 days after the purchase',
              start: 0,
              end: 54,
              status: 'supported',
              similarity: 1,
              nuggets: [
                {
                  id: 'nug_1',
                  claim: 'Refunds are possible within 30 days after the purchase.',
                  source_url: 'https://acme.example/terms',
                  similarity: 1,
                },
              ],
            },
          ],
          certificate: {
            id: 'crt_2',
            state: 'valid',
            organizationId: 'org_1',
            contentHash: '21548d46d0c01475dbb7166c20967c7bfa8da9305cf1a0301e9fb5fb67c5973f',
            algorithm: 'sha-256',
            issuedAt: '2026-01-01T12:00:00.000Z',
            expiresAt: '2027-01-01T12:00:00.000Z',
            revokedAt: null,
            keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
            revocationReason: null,
            nuggets: [
              {
                id: 'nug_1',
                version: 2,
              },
            ],
            url: 'https://probity.example.com/api/v1/trust/certificates/crt_2',
            pageUrl: 'https://probity.example.com/certificates/crt_2',
          },
        },
      },
    },
  },
};
