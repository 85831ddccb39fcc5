import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline, createScanPool } from '../src/index.ts';
import { pii } from '../src/pii/index.ts';

describe('errors of a pipeline', () => {
  it('a setting that is mistyped among the options of a stage is named', () => {
    const stages = [pii({ failOpn: false } as object)];
    assert.throws(() => createPipeline({ stages }), {
      message:
        /\.failOpn: unknown option; known are types, .* Did you mean failOpen\? It is a setting of the stage/,
    });
    assert.throws(() => createPipeline({ stages: [pii({ colour: 1 } as object)] }), {
      message: /custom\.$/,
    });
  });

  it('a scan of a prompt alone says what to give', async () => {
    await assert.rejects(createPipeline().scan({ prompt: 'a' } as never), {
      message:
        "input.response must be a string; got undefined; give response: '' to scan a prompt alone",
    });
  });

  it('a pool refuses a stage made by a function by its place', () => {
    assert.throws(
      () => createScanPool({ config: { stages: [{ name: 'toxicity_scanner' }, pii()] } }),
      {
        message: /^config\.stages\[1\]: expected data; a stage made by a function is none: name it/,
      },
    );
  });
});
