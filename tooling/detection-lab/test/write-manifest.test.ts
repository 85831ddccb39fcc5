import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MODELS_FOLDER } from '../src/lib/paths.ts';
import { manifestOf } from '../src/write-manifest.ts';

describe('the manifest of weight files', () => {
  it('the manifest of the library is what npm run manifest writes', () => {
    const file = join(MODELS_FOLDER, '../src/models/manifest.generated.ts');
    assert.equal(readFileSync(file, 'utf8'), manifestOf(MODELS_FOLDER));
  });
});
