import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createNugget: {
    request: {
      claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000045).',
      source_url: 'https://physics.example/water',
      category: 'physics',
      confidence: 'high',
    },
    responses: {
      '201': {
        data: {
          id: 'nug_3',
          claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000045).',
          source_url: 'https://physics.example/water',
          category: 'physics',
          confidence: 0.9,
          created_at: '2026-01-01T12:00:00.000Z',
          updated_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getNugget: {
    responses: {
      '200': {
        data: {
          id: 'nug_2',
          claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000006).',
          source_url: 'https://physics.example/water',
          category: 'physics',
          confidence: 0.9,
          created_at: '2026-01-01T12:00:00.000Z',
          updated_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  importNuggets: {
    request: [
      {
        claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000044).',
        source_url: 'https://physics.example/water',
        category: 'physics',
        confidence: 'high',
      },
    ],
    responses: {
      '201': {
        data: {
          rows: 1,
          created: 1,
          updated: 0,
          unchanged: 0,
          failed: 0,
          errors: [],
        },
      },
    },
  },
  listNuggets: {
    responses: {
      '200': {
        data: [
          {
            id: 'nug_2',
            claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000006).',
            source_url: 'https://physics.example/water',
            category: 'physics',
            confidence: 0.9,
            created_at: '2026-01-01T12:00:00.000Z',
            updated_at: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  updateNugget: {
    request: {
      confidence: 0.4,
    },
    responses: {
      '200': {
        data: {
          id: 'nug_4',
          claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000046).',
          source_url: 'https://physics.example/water',
          category: 'physics',
          confidence: 0.4,
          created_at: '2026-01-01T12:00:00.000Z',
          updated_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
};
