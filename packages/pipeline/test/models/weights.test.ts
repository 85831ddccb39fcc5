import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { WEIGHTS } from '../../src/models/manifest.generated.ts';
import type { ModelName } from '../../src/models/model-bytes.ts';
import { checkWeights, readModelBytes } from '../../src/models/model-bytes.ts';

const folder = join(import.meta.dirname, '..', '..', '..');
const names = Object.keys(WEIGHTS) as ModelName[];

describe('weight files', () => {
  it('weight files are those of the manifest', () => {
    const files = readdirSync(join(folder, 'models')).filter((file) => file.endsWith('.bin'));
    assert.deepEqual(files.sort(), names.map((name) => `${name}.bin`).sort());
    for (const name of names) {
      const bytes = readFileSync(join(folder, 'models', `${name}.bin`));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const format = bytes.toString('latin1', 0, 4);
      assert.deepEqual(WEIGHTS[name], { format, bytes: bytes.length, sha256 });
      assert.equal(readModelBytes(name).length, bytes.length);
    }
  });

  it('weight files that are cut, damaged or of another version or license are refused with the file, both versions and the remedy', () => {
    for (const name of names) {
      const bytes = readModelBytes(name);
      const { sha256, format } = WEIGHTS[name];
      const refused = (wrong: Uint8Array, what: RegExp) =>
        assert.throws(
          () => checkWeights(name, wrong, `models/${name}.bin`),
          ({ name: error, message }: Error) => {
            assert.equal(error, 'WeightsError');
            assert.match(message, what);
            assert.ok(message.startsWith(`models/${name}.bin `), message);
            assert.ok(
              message.includes(`expected version ${sha256.slice(0, 12)} (format ${format}`),
            );
            assert.match(message, /\), license Apache-2\.0[ \w]*; found/);
            assert.match(message, /found version [0-9a-f]{12} \(.*Install @probity\/pipeline anew/);
            return true;
          },
        );
      for (const length of [bytes.length - 1, 1_000, 4]) {
        refused(bytes.slice(0, length), / is cut: expected/);
      }
      refused(new Uint8Array(), / is damaged, or of another release or license than the code: /);
      const damaged = bytes.slice();
      damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] as number) ^ 1;
      refused(damaged, / is damaged, or of another release or license than the code: /);
      const older = bytes.slice();
      older[3] = 0x30;
      refused(
        older,
        new RegExp(`found version \\w+ \\(format ${format.slice(0, 3)}0, ${bytes.length} bytes`),
      );
    }
  });
});
