import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  createNugget: {
    request: {
      claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000057).',
      source_url: 'https://physics.example/water',
      category: 'physics',
      confidence: 'high',
    },
    responses: {
      '201': {
        data: {
          id: 'nug_4',
          claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000057).',
          source_url: 'https://physics.example/water',
          category: 'physics',
          confidence: 0.9,
          created_at: '2026-01-01T12:00:00.000Z',
          updated_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getCorrection: {
    responses: {
      '200': {
        data: {
          id: 'cor_1',
          nuggetId: 'nug_3',
          claim: 'The warranty is one year (019b7000-0000-7000-8000-000000000007).',
          correction: 'The warranty is two years (019b7000-0000-7000-8000-000000000008).',
          source_url: 'https://shop.example/terms',
          created_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  getImport: {
    responses: {
      '200': {
        data: {
          id: 'imp_1',
          format: 'json',
          strict: false,
          status: 'completed',
          rows: 1,
          created: 1,
          updated: 0,
          unchanged: 0,
          failed: 0,
          problem: null,
          created_at: '2026-01-01T12:00:00.000Z',
          updated_at: '2026-01-01T12:00:00.000Z',
          ended_at: '2026-01-01T12:00:00.000Z',
          errors: [],
        },
      },
    },
  },
  getKnowledgeIndex: {
    responses: {
      '200': {
        data: {
          status: 'current',
          embedder: 'built-in-1',
          nuggets: 4,
          pending: 0,
          sequence: 4,
          indexed_sequence: 4,
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
        claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000056).',
        source_url: 'https://physics.example/water',
        category: 'physics',
        confidence: 'high',
      },
    ],
    responses: {
      '201': {
        data: {
          id: 'imp_2',
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
  listCorrections: {
    responses: {
      '200': {
        data: [
          {
            id: 'cor_1',
            nuggetId: 'nug_3',
            claim: 'The warranty is one year (019b7000-0000-7000-8000-000000000007).',
            correction: 'The warranty is two years (019b7000-0000-7000-8000-000000000008).',
            source_url: 'https://shop.example/terms',
            created_at: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listImports: {
    responses: {
      '200': {
        data: [
          {
            id: 'imp_1',
            format: 'json',
            strict: false,
            status: 'completed',
            rows: 1,
            created: 1,
            updated: 0,
            unchanged: 0,
            failed: 0,
            problem: null,
            created_at: '2026-01-01T12:00:00.000Z',
            updated_at: '2026-01-01T12:00:00.000Z',
            ended_at: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
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
  publishCorrection: {
    request: {
      claim: 'The warranty is one year (019b7000-0000-7000-8000-000000000059).',
      correction: 'The warranty is two years (019b7000-0000-7000-8000-000000000060).',
      source_url: 'https://shop.example/terms',
    },
    responses: {
      '201': {
        data: {
          id: 'cor_2',
          nuggetId: 'nug_6',
          claim: 'The warranty is one year (019b7000-0000-7000-8000-000000000059).',
          correction: 'The warranty is two years (019b7000-0000-7000-8000-000000000060).',
          source_url: 'https://shop.example/terms',
          created_at: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  searchNuggets: {
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
            similarity: 0.5405530151194939,
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
          id: 'nug_5',
          claim: 'Water boils at 100 °C at sea level (019b7000-0000-7000-8000-000000000058).',
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
