import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { PipelineConfigError } from '../../src/index.ts';
import {
  createConfiguredPipeline,
  parsePipelineSettings,
  readPipelineSettings,
} from '../../src/settings/index.ts';
import { deciding, PATIENCE_MS, startModelServer } from '../backends/model-server.ts';

const KNOWLEDGE = [
  'The night boat leaves from the northern pier.',
  'Harbour pilots must renew their licence every five years.',
];
const place = { env: { KEY: 'sk-test-1', EMPTY: ' ' }, folder: '/etc/probity' };
const openai = { kind: 'openai', baseUrl: 'http://localhost:1/v1', model: 'm' };
const onnx = { kind: 'onnx', model: 'owner/m', modelFolder: 'models' };
const guard = { ...onnx, labels: { INJECTION: 'prompt_injection' } };
const variable = (name: string) => `$\{${name}}`;

describe('the settings of a pipeline', () => {
  it('the settings of a pipeline make paths absolute and substitute variables', () => {
    const { pipeline, backends } = parsePipelineSettings(
      {
        maxFindings: 5,
        backends: {
          judge: { ...openai, apiKey: variable('KEY') },
          embedder: { kind: 'onnx', model: 'minilm', libraryFolder: '../lib' },
          classifiers: { injection_scanner: guard },
        },
      },
      place,
    );
    assert.deepEqual(pipeline, { maxFindings: 5 });
    assert.deepEqual(backends, {
      judge: { ...openai, apiKey: 'sk-test-1' },
      embedder: { kind: 'onnx', model: '/etc/probity/minilm', libraryFolder: '/etc/lib' },
      classifiers: { injection_scanner: { ...guard, modelFolder: '/etc/probity/models' } },
    });
  });

  it('the settings of a pipeline read lists of statements and texts from files of their own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probity-settings-'));
    try {
      writeFileSync(join(folder, 'facts.json'), JSON.stringify(KNOWLEDGE));
      writeFileSync(join(folder, 'terms.json'), JSON.stringify(['night boat']));
      const lists = [{ type: 'boat', terms: 'terms.json' }, { terms: ['pilot'] }];
      const stages = [
        { name: 'output_truth_scanner', options: { knowledge: 'facts.json' } },
        { name: 'terms_scanner', options: { lists } },
      ];
      writeFileSync(join(folder, 'probity.json'), JSON.stringify({ stages }));
      const pipeline = createConfiguredPipeline(
        readPipelineSettings(join(folder, 'probity.json'), {}),
      );
      const { findings } = await pipeline.scan({ response: KNOWLEDGE[0] ?? '' });
      assert.deepEqual(
        findings.map(({ type, nugget }) => [type, nugget]),
        [
          ['supported', 0],
          ['boat', undefined],
        ],
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the settings of a pipeline configure a judge with its key', async (test) => {
    const { baseUrl, calls } = await startModelServer(test, deciding('contradicted', 0.9));
    const options = { knowledge: KNOWLEDGE, judge: { from: 0, to: 1 } };
    const judge = { ...openai, baseUrl, apiKey: variable('KEY'), timeoutMs: PATIENCE_MS };
    const settings = parsePipelineSettings(
      {
        stages: [{ name: 'output_truth_scanner', options, timeoutMs: PATIENCE_MS }],
        backends: { judge },
      },
      place,
    );
    const pipeline = createConfiguredPipeline(settings, {
      onBackendError: (error) => assert.fail(String(error)),
    });
    const response = 'The night boat leaves from the southern pier.';
    const { scores } = await pipeline.scan({ response });
    assert.ok(Math.abs((scores.truth ?? 0) - 0.95) < 1e-9);
    assert.equal(calls[0]?.authorization, 'Bearer sk-test-1');
  });

  const wrong: [string, unknown][] = [
    ['config.backend', { backend: {} }],
    ['backends', { backends: [] }],
    ['backends.judges', { backends: { judges: openai } }],
    ['backends.judge.kind', { backends: { judge: { ...openai, kind: 'other' } } }],
    ['backends.judge.labels', { backends: { judge: { ...openai, labels: {} } } }],
    ['backends.judge.fetch', { backends: { judge: { ...openai, fetch: 'x' } } }],
    ['backends.judge.apiKey', { backends: { judge: { ...openai, apiKey: 'sk-secret-9' } } }],
    ['backends.judge.apiKey', { backends: { judge: { ...openai, apiKey: variable('NO') } } }],
    ['backends.judge.apiKey', { backends: { judge: { ...openai, apiKey: variable('EMPTY') } } }],
    ['backends.judge.baseUrl', { backends: { judge: { ...openai, baseUrl: 'nowhere' } } }],
    ['backends.judge.model', { backends: { judge: { kind: 'onnx' } } }],
    ['backends.embedder.pooling', { backends: { embedder: { ...onnx, pooling: 'max' } } }],
    [
      'backends.classifiers.secrets_scanner',
      { backends: { classifiers: { secrets_scanner: guard } } },
    ],
    [
      'backends.classifiers.toxicity_scanner.labels.INJECTION',
      { backends: { classifiers: { toxicity_scanner: guard } } },
    ],
    [
      'backends.classifiers.injection_scanner.kind',
      { backends: { classifiers: { injection_scanner: { ...guard, kind: 'openai' } } } },
    ],
    [
      'backends.classifiers.injection_scanner.dtype',
      { backends: { classifiers: { injection_scanner: { ...guard, dtype: 'q1' } } } },
    ],
    [
      'stages.output_truth_scanner.options.knowledge',
      { stages: [{ name: 'output_truth_scanner', options: { knowledge: 'none.json' } }] },
    ],
    ['stages[0].name', { stages: [{ name: 'pii' }] }],
    ['stages', { stages: {} }],
  ];
  for (const [option, value] of wrong) {
    it(`the settings of a pipeline refuse a wrong ${option}: ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => createConfiguredPipeline(parsePipelineSettings(value, place)),
        (error: PipelineConfigError) =>
          error.option === option && !/sk-secret-9/.test(error.message),
      );
    });
  }
});
