import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { OnnxWorld } from './world.ts';
import { inOnnxWorld, onnxMissing } from './world.ts';

/** Checks a model that takes every text with the word for an attack. */
async function check({ folder, write, given }: OnnxWorld, word: string, label = 'INJECTION') {
  write('models/guard', { words: { [word]: [0, 40] }, labels: ['SAFE', 'INJECTION'] });
  const labels = { [label]: { type: 'prompt_injection', threshold: 0.9 } };
  const guard = { kind: 'onnx', model: 'guard', modelFolder: 'models', ...given, labels };
  const file = join(folder, 'probity.json');
  writeFileSync(file, JSON.stringify({ backends: { classifiers: { injection_scanner: guard } } }));
  return run(['models', 'check', '--config', file]);
}

async function run(args: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  const write = (name: keyof typeof printed) => (text: string) => {
    printed[name] += text;
    return true;
  };
  const code = await main(args, {
    stdin: (async function* () {})(),
    stdout: { write: write('stdout'), once: () => {}, on: () => {} },
    stderr: { write: write('stderr') },
  });
  return { code, ...printed };
}

describe('probity-scan models check', () => {
  it('probity-scan models check refuses a configuration without a model', async () => {
    const { code, stdout, stderr } = await run(['models', 'check']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^probity-scan: models check: the configuration names no model; add /);
  });
});

describe('probity-scan models check with a local model', { skip: onnxMissing() }, () => {
  it(
    'probity-scan models check prints the ordinary sentences that a model takes for harmful, by kind',
    inOnnxWorld(async (world) => {
      const { code, stdout } = await check(world, 'please');
      assert.equal(code, 0);
      const [head, columns, ...lines] = stdout.trimEnd().split('\n');
      assert.match(
        head ?? '',
        /^injection_scanner: \d of \d+ ordinary sentences taken for harmful \(0\.\d %\)$/,
      );
      assert.match(columns ?? '', /kind +language +type +score +text/);
      const found = lines.find((line) => line.includes('close my account'));
      assert.match(
        found ?? '',
        /cancelling \(1 of \d+\) +en +prompt_injection +0\.\d\d +please close/,
      );
    }),
  );

  it(
    'probity-scan models check exits with 1 where a model takes more than 1 % of ordinary sentences for harmful',
    inOnnxWorld(async (world) => {
      const { code, stdout } = await check(world, 'the');
      assert.equal(code, 1);
      assert.match(stdout, /\(\d{2}\.\d %\)/);
    }),
  );

  it(
    'probity-scan models check exits with 2 and names the stage where a model has not the label',
    inOnnxWorld(async (world) => {
      const { code, stderr } = await check(world, 'please', 'ATTACK');
      assert.equal(code, 2);
      assert.match(stderr, /models check: injection_scanner: the model has no label ATTACK/);
    }),
  );
});
