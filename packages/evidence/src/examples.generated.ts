import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createAiSystem: {
    request: {
      name: 'Support assistant',
      riskClass: 'limited',
      owner: 'Customer care',
    },
    responses: {
      '201': {
        data: {
          id: '019b7000-0000-7000-8000-000000000049',
          name: 'Support assistant',
          description: null,
          riskClass: 'limited',
          owner: 'Customer care',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  exportEvidence: {
    responses: {
      '200': {
        data: [
          {
            id: '019b7000-0000-7000-8000-000000000002',
            evidenceType: 'evaltool_eval',
            source: 'evaltool',
            title: 'Evaluation of openai:chat:019b7000-0000-7000-8000-000000000003',
            content:
              'openai:chat:019b7000-0000-7000-8000-000000000003 was evaluated at 2026-01-01T00:00:00.000Z with 2 tests: 1 passed, 1 failed, 0 did not run. The results are evidence on accuracy, general testing.',
            metadata: {
              source: 'evaltool',
              evaltoolVersion: 3,
              toolVersion: null,
              evalTimestamp: '2025-02-07T17:13:00.000Z',
              providers: ['openai:chat:019b7000-0000-7000-8000-000000000003'],
              providerLabels: [],
              stats: {
                successes: 1,
                failures: 1,
                errors: 0,
              },
              tokenUsage: {
                total: 0,
              },
              contradicted: 0,
              passRate: 0.5,
              findingCategories: ['accuracy', 'general testing'],
              namedScores: {
                faithfulness: {
                  count: 1,
                  mean: 0.4,
                  min: 0.4,
                  max: 0.4,
                },
              },
            },
            aiSystemId: null,
            labels: {},
            links: [
              {
                obligationId: 'euaia-annex-iv-2-g',
                framework: 'EU AI Act',
                reference: 'Annex IV(2)(g)',
                title:
                  'Documented validation and test procedures, with metrics for accuracy, robustness and discriminatory impact',
                stance: 'adverse',
              },
            ],
            occurredAt: '2025-02-07T17:13:00.000Z',
            createdAt: '2026-01-01T12:00:00.000Z',
            sequence: 1,
            hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          },
        ],
      },
    },
  },
  getAiSystem: {
    responses: {
      '200': {
        data: {
          id: '019b7000-0000-7000-8000-000000000001',
          name: 'Support assistant',
          description: null,
          riskClass: 'limited',
          owner: 'Customer care',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getCoverage: {
    responses: {
      '200': {
        data: [
          {
            aiSystem: {
              id: '019b7000-0000-7000-8000-000000000001',
              name: 'Support assistant',
              riskClass: 'limited',
            },
            obligations: [
              {
                id: 'euaia-art-4',
                framework: 'EU AI Act',
                reference: 'Article 4',
                title: 'People who work with AI systems know enough about them',
                appliesFrom: '2024-03-12',
                applicability: 'applies',
                evidenceCount: 0,
                supportingCount: 0,
                adverseCount: 0,
                newestEvidence: null,
              },
            ],
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  getEvidence: {
    responses: {
      '200': {
        data: {
          id: '019b7000-0000-7000-8000-000000000002',
          evidenceType: 'evaltool_eval',
          source: 'evaltool',
          title: 'Evaluation of openai:chat:019b7000-0000-7000-8000-000000000003',
          content:
            'openai:chat:019b7000-0000-7000-8000-000000000003 was evaluated at 2026-01-01T00:00:00.000Z with 2 tests: 1 passed, 1 failed, 0 did not run. The results are evidence on accuracy, general testing.',
          metadata: {
            source: 'evaltool',
            evaltoolVersion: 3,
            toolVersion: null,
            evalTimestamp: '2025-02-07T17:13:00.000Z',
            providers: ['openai:chat:019b7000-0000-7000-8000-000000000003'],
            providerLabels: [],
            stats: {
              successes: 1,
              failures: 1,
              errors: 0,
            },
            tokenUsage: {
              total: 0,
            },
            contradicted: 0,
            passRate: 0.5,
            findingCategories: ['accuracy', 'general testing'],
            namedScores: {
              faithfulness: {
                count: 1,
                mean: 0.4,
                min: 0.4,
                max: 0.4,
              },
            },
          },
          aiSystemId: null,
          labels: {},
          links: [
            {
              obligationId: 'euaia-annex-iv-2-g',
              framework: 'EU AI Act',
              reference: 'Annex IV(2)(g)',
              title:
                'Documented validation and test procedures, with metrics for accuracy, robustness and discriminatory impact',
              stance: 'adverse',
            },
          ],
          occurredAt: '2025-02-07T17:13:00.000Z',
          createdAt: '2026-01-01T12:00:00.000Z',
          sequence: 1,
          hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
        },
      },
    },
  },
  getObligationCatalog: {
    responses: {
      '200': {
        catalog: {
          uuid: '019b7000-0000-7000-8000-000000000005',
          metadata: {
            title: 'Obligations that evidence can support',
            'last-modified': '2025-12-30T17:13:00.000Z',
            version: '1.0.0',
            'oscal-version': '1.2.2',
            remarks:
              'Numbers are facts; titles are the words of this catalog and no substitute for the text of the frameworks. Evidence supports an obligation; whether it is complied with is for people to judge.',
          },
          groups: [
            {
              id: 'eu-ai-act',
              class: 'framework',
              title: 'EU AI Act',
              props: [
                {
                  name: 'source',
                  ns: 'urn:x-probity:oscal',
                  value:
                    'Regulation (EU) 2024/1689, https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
                },
              ],
              controls: [
                {
                  id: 'euaia-art-4',
                  class: 'obligation',
                  title: 'People who work with AI systems know enough about them',
                  props: [
                    {
                      name: 'label',
                      value: 'Article 4',
                    },
                  ],
                  parts: [
                    {
                      id: 'euaia-art-4_smt',
                      name: 'statement',
                      prose: 'People who work with AI systems know enough about them',
                    },
                  ],
                },
              ],
            },
          ],
        },
      },
    },
  },
  importEvaltool: {
    request: {
      evaltoolOutput: {
        version: 3,
        timestamp: '2025-02-07T17:13:00.000Z',
        results: [
          {
            provider: {
              id: 'openai:chat:019b7000-0000-7000-8000-000000000051',
            },
            success: true,
            score: 1,
            gradingResult: {
              pass: true,
              score: 1,
            },
          },
        ],
      },
    },
    responses: {
      '201': {
        totalResultsProcessed: 2,
        evidenceCreated: 2,
        evidenceSkipped: 0,
        obligationLinksCreated: 26,
        evidenceIds: [
          '019b7000-0000-7000-8000-000000000052',
          '019b7000-0000-7000-8000-000000000053',
        ],
        warnings: [],
      },
    },
  },
  listAiSystems: {
    responses: {
      '200': {
        data: [
          {
            id: '019b7000-0000-7000-8000-000000000001',
            name: 'Support assistant',
            description: null,
            riskClass: 'limited',
            owner: 'Customer care',
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
  listEvaluationRuns: {
    responses: {
      '200': {
        data: [
          {
            evidenceId: '019b7000-0000-7000-8000-000000000002',
            provider: 'openai:chat:019b7000-0000-7000-8000-000000000003',
            providerLabel: null,
            aiSystemId: null,
            evaluatedAt: '2025-02-07T17:13:00.000Z',
            successes: 1,
            failures: 1,
            errors: 0,
            passRate: 0.5,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listEvidence: {
    responses: {
      '200': {
        data: [
          {
            id: '019b7000-0000-7000-8000-000000000004',
            evidenceType: 'evaltool_eval',
            source: 'evaltool',
            title: 'Accuracy failure of openai:chat:019b7000-0000-7000-8000-000000000003',
            content:
              'A test of openai:chat:019b7000-0000-7000-8000-000000000003 failed at 2026-01-01T00:00:00.000Z with the score 0.4.',
            metadata: {
              source: 'evaltool',
              evaltoolVersion: 3,
              evalTimestamp: '2025-02-07T17:13:00.000Z',
              findingType: 'accuracy_failure',
              findingCategories: ['accuracy'],
              assertionType: 'unknown',
              assertionTypes: [],
              provider: 'openai:chat:019b7000-0000-7000-8000-000000000003',
              providerLabel: null,
              score: 0.4,
              promptLabel: null,
              gradingReason: 'No grading result.',
              pluginId: null,
              severity: null,
              strategyId: null,
              httpStatus: null,
            },
            aiSystemId: null,
            labels: {},
            links: [
              {
                obligationId: 'euaia-annex-iv-2-g',
                framework: 'EU AI Act',
                reference: 'Annex IV(2)(g)',
                title:
                  'Documented validation and test procedures, with metrics for accuracy, robustness and discriminatory impact',
                stance: 'adverse',
              },
            ],
            occurredAt: '2025-02-07T17:13:00.000Z',
            createdAt: '2026-01-01T12:00:00.000Z',
            sequence: 2,
            hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listObligations: {
    responses: {
      '200': {
        data: [
          {
            id: 'euaia-art-4',
            framework: 'EU AI Act',
            source: 'Regulation (EU) 2024/1689, https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
            reference: 'Article 4',
            title: 'People who work with AI systems know enough about them',
            keywords: ['literacy', 'training'],
            appliesFrom: '2024-03-12',
            transitions: [],
            role: ['provider', 'deployer'],
            riskClasses: null,
            amendedBy: 'Regulation (EU) 2026/1744',
            status: null,
            checked: false,
            evidenceCount: 0,
            supportingCount: 0,
            adverseCount: 0,
            newestEvidence: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listProviderTrends: {
    responses: {
      '200': {
        data: [
          {
            provider: 'openai:chat:019b7000-0000-7000-8000-000000000003',
            providerLabel: null,
            runs: 1,
            successes: 1,
            failures: 1,
            errors: 0,
            passRate: 0.5,
            oldestAt: '2025-02-07T17:13:00.000Z',
            newestAt: '2025-02-07T17:13:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  updateAiSystem: {
    request: {
      riskClass: 'high',
    },
    responses: {
      '200': {
        data: {
          id: '019b7000-0000-7000-8000-000000000050',
          name: 'Support assistant',
          description: null,
          riskClass: 'high',
          owner: 'Customer care',
          createdAt: '2026-01-01T12:00:00.000Z',
          updatedAt: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  updateEvidence: {
    request: {
      labels: {
        team: 'assistants',
      },
    },
    responses: {
      '200': {
        data: {
          id: '019b7000-0000-7000-8000-000000000054',
          evidenceType: 'evaltool_eval',
          source: 'evaltool',
          title: 'Evaluation of openai:chat:019b7000-0000-7000-8000-000000000055',
          content:
            'openai:chat:019b7000-0000-7000-8000-000000000055 was evaluated at 2026-01-01T00:00:00.000Z with 2 tests: 1 passed, 1 failed, 0 did not run. The results are evidence on accuracy, general testing.',
          metadata: {
            source: 'evaltool',
            evaltoolVersion: 3,
            toolVersion: null,
            evalTimestamp: '2025-02-07T17:13:00.000Z',
            providers: ['openai:chat:019b7000-0000-7000-8000-000000000055'],
            providerLabels: [],
            stats: {
              successes: 1,
              failures: 1,
              errors: 0,
            },
            tokenUsage: {
              total: 0,
            },
            contradicted: 0,
            passRate: 0.5,
            findingCategories: ['accuracy', 'general testing'],
            namedScores: {
              faithfulness: {
                count: 1,
                mean: 0.4,
                min: 0.4,
                max: 0.4,
              },
            },
          },
          aiSystemId: null,
          labels: {
            team: 'assistants',
          },
          links: [
            {
              obligationId: 'euaia-annex-iv-2-g',
              framework: 'EU AI Act',
              reference: 'Annex IV(2)(g)',
              title:
                'Documented validation and test procedures, with metrics for accuracy, robustness and discriminatory impact',
              stance: 'adverse',
            },
          ],
          occurredAt: '2025-02-07T17:13:00.000Z',
          createdAt: '2026-01-01T12:00:00.000Z',
          sequence: 5,
          hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
        },
      },
    },
  },
  verifyEvidence: {
    responses: {
      '200': {
        data: {
          valid: true,
          nodes: 2,
          records: 2,
          removedThrough: 0,
          end: {
            sequence: 2,
            hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
          },
          fault: null,
          sealedFrom: 1,
        },
      },
    },
  },
};
