import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { readConfig } from '../../src/config/read-config.ts';
import { at, startGateway } from '../world.ts';

/** Flagged, and not blocked, with the tier and without. */
const TEXT = 'He thinks those people are all liars and cheats.';
const STAGES =
  'stages: [{name: toxicity_scanner}]}\nstage_config: {toxicity_scanner: {timeout_ms: 600000}}\n';

/** The keys of a configuration with a file of back ends. */
function keys(t: Parameters<typeof temporaryFolder>[0], content: unknown): string {
  const file = join(temporaryFolder(t).path, 'models.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return `scanning: {backends_file: ${file}, ${STAGES}`;
}

test('scanning.backends_file turns the tier meaning on, and a reload turns it off', async (t) => {
  const meaning = { timeoutMs: 600_000 };
  const patient = 'server: {host: 127.0.0.1, port: 0, workers: 1, request_timeout_ms: 600000}\n';
  const listeners = `${patient}monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n`;
  const text = `${listeners}${keys(t, { backends: { meaning } })}`;
  const gateway = await startGateway(t, text, { enableReload: true, key: { role: 'admin' } });
  const scoreOf = async () =>
    at((await gateway.scan({ response: TEXT })).body, 'data.findings.0.score');
  const judged = await scoreOf();
  gateway.write(`${listeners}scanning: {${STAGES}`);
  const headers = { Authorization: `Bearer ${gateway.token}` };
  const reloaded = await gateway.call('/reload-config', { method: 'POST', headers });
  assert.equal(reloaded.status, 200, JSON.stringify(reloaded.body));
  const own = await scoreOf();
  assert.equal(typeof own, 'number');
  assert.notEqual(judged, own);
});

test('a gateway does not start with a model whose library is missing', async (t) => {
  const classifier = {
    kind: 'onnx',
    model: 'guard',
    libraryFolder: temporaryFolder(t).path,
    labels: { INJECTION: 'prompt_injection' },
  };
  const content = { backends: { classifiers: { injection_scanner: classifier } } };
  await assert.rejects(
    startGateway(t, keys(t, content)),
    /scanning\.backends_file: backends\.classifiers\.injection_scanner: ONNX models need the package @huggingface\/transformers: npm install/,
  );
});

const CLASSIFIER = { kind: 'onnx', model: 'guard', labels: { INJECTION: 'prompt_injection' } };
const WRONG: readonly [unknown, RegExp][] = [
  ['{', /models\.json: is not valid JSON/],
  [[], /expected an object with the key backends/],
  [{ backends: {}, stages: [] }, /stages must not be here: set stages and policies/],
  [{ backends: { embedder: {} } }, /backends\.embedder must not be here: set embeddings\.model/],
  [{ backends: { classifier: {} } }, /backends\.classifier: unknown option/],
  [
    { backends: { classifiers: { injection_scanner: { ...CLASSIFIER, labels: { A: 'hate' } } } } },
    /backends\.classifiers\.injection_scanner\.labels\.A: expected one of the types prompt_injection/,
  ],
  [
    {
      backends: {
        classifiers: {
          injection_scanner: {
            ...CLASSIFIER,
            labels: { A: { type: 'prompt_injection', threshold: 1.2 } },
          },
        },
      },
    },
    /labels\.A\.threshold: expected a number between 0 and 1/,
  ],
  [
    { backends: { meaning: { libraryFolder: 'nowhere' } } },
    /backends\.meaning\.libraryFolder: the tier meaning needs the packages @energetic-ai\/core/,
  ],
  [
    {
      backends: {
        judge: { kind: 'openai', baseUrl: 'https://a.example', model: 'b', apiKey: 'c' },
      },
    },
    /backends\.judge\.apiKey: expected an environment variable/,
  ],
];

for (const [content, message] of WRONG) {
  test(`readConfig refuses a file of back ends at its line: ${message.source}`, async (t) => {
    const text = keys(t, content);
    const { config, issues } = await readConfig(Buffer.from(text), {}, '/');
    assert.equal(config, undefined);
    assert.deepEqual(
      issues.map(({ path, line }) => [path, line]),
      [['scanning.backends_file', 1]],
    );
    assert.match(issues[0]?.message ?? '', message);
  });
}

test('readConfig reports a missing file of back ends at its line', async () => {
  const text = Buffer.from('scanning: {backends_file: none.json}');
  const { issues } = await readConfig(text, {}, '/nowhere');
  assert.match(issues[0]?.message ?? '', /^\/nowhere\/none\.json: cannot be read \(ENOENT\)$/);
});
