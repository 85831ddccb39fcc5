import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { GUARD, inOnnxWorld, onnxMissing, patient } from './world.ts';

const PROGRAM = new URL('../../../bin/probity-scan.js', import.meta.url).pathname;

describe('probity-scan with a local model', { skip: onnxMissing() }, () => {
  for (const threads of ['1', '2']) {
    it(
      `probity-scan with a local model runs it as its configuration says, and ends, in ${threads} threads`,
      inOnnxWorld(async ({ folder, write, given }) => {
        write('models/guard', GUARD);
        const labels = { INJECTION: 'prompt_injection' };
        const guard = {
          kind: 'onnx',
          model: 'guard',
          modelFolder: 'models',
          ...given,
          labels,
        };
        const config = {
          stages: [{ name: 'injection_scanner', ...patient }],
          backends: { classifiers: { injection_scanner: guard } },
        };
        writeFileSync(join(folder, 'probity.json'), JSON.stringify(config));
        writeFileSync(join(folder, 'letter.txt'), 'Good morning. Sabotage the kettle.');
        const args = ['--threads', threads, '--config', 'probity.json', 'letter.txt'];
        const options = { cwd: folder };
        const { stdout, stderr } = await promisify(execFile)(
          process.execPath,
          [PROGRAM, ...args],
          options,
        );
        assert.equal(stderr, '');
        const { scores, findings } = JSON.parse(stdout);
        assert.ok(scores.injection > 0.9);
        assert.equal(findings[0]?.type, 'prompt_injection');
      }),
    );
  }
});
