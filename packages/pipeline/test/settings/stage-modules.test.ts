import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { createConfiguredPipeline, readPipelineSettings } from '../../src/settings/index.ts';

const PACKAGE = new URL('../../src/index.js', import.meta.url).href;
/** Reports each run of capitals that is at least as long as its option says. */
const STAGE = `
import { defineStage } from '${PACKAGE}';
export default defineStage({
  name: 'shouting',
  types: ['capitals'],
  reads: ['response'],
  options: ({ least = 4 }) => ({ least }),
  run({ fields, report, options }) {
    for (const { field, text } of fields) {
      for (const { index: start, 0: run } of text.matchAll(/[A-Z]+/g)) {
        if (run.length < options.least) continue;
        report({ type: 'capitals', score: 0.8, field, start, end: start + run.length });
      }
    }
  },
});`;

/** A folder with the stage as a module, settings and further files. */
function createWorld(test: TestContext, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'probity-stages-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const all = { 'shouting.mjs': STAGE, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  const write = (stages: unknown): string => {
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ stages }));
    return join(folder, 'settings.json');
  };
  return { folder, write, read: (stages: unknown) => readPipelineSettings(write(stages), {}) };
}

describe('a stage in a module that settings name', () => {
  it('a stage in a module that settings name runs beside the others, with its options', async (test) => {
    const { read } = createWorld(test);
    const shouting = { name: 'shouting', module: './shouting.mjs' };
    const settings = read([{ name: 'pii_scanner' }, { ...shouting, options: { least: 5 } }]);
    // Settings are data: they may be sent to a thread.
    const pipeline = createConfiguredPipeline(structuredClone(settings));
    const { findings, scores } = await pipeline.scan({ response: 'This is LOUD, this LOUDER.' });
    assert.deepEqual(
      findings.map(({ stage, type, start, end }) => [stage, type, start, end]),
      [['shouting', 'capitals', 19, 25]],
    );
    assert.equal(scores.shouting, 0.8);
    assert.deepEqual(createConfiguredPipeline(read([{ ...shouting, enabled: false }])).stages, []);
  });

  it('a stage in a module that settings name has a score in the output of probity-scan', async (test) => {
    const { write } = createWorld(test);
    const file = write([{ name: 'shouting', module: './shouting.mjs' }]);
    for (const threads of ['1', '2']) {
      let printed = '';
      const output = (text: string) => {
        printed += text;
        return true;
      };
      async function* stdin() {
        yield '{"id": 1, "text": "LOUD"}\n';
      }
      const code = await main(['--jsonl', '--config', file, '--threads', threads], {
        stdin: stdin(),
        stdout: { write: output, once: () => {}, on: () => {} },
        stderr: { write: output },
        env: {},
      });
      assert.equal(code, 0, printed);
      const { scores, findings } = JSON.parse(printed);
      assert.deepEqual([scores.shouting, scores.pii, findings[0].type], [0.8, null, 'capitals']);
    }
  });

  it('a stage in a module that settings name can be the only one that probity-scan runs', async (test) => {
    const { write } = createWorld(test);
    const file = write([{ name: 'pii_scanner' }, { name: 'shouting', module: './shouting.mjs' }]);
    for (const name of ['shouting', 'pii']) {
      let printed = '';
      const write = (text: string) => {
        printed += text;
        return true;
      };
      async function* stdin() {
        yield '{"id": 1, "text": "LOUD"}\n';
      }
      await main(['--jsonl', '--config', file, '--stages', name], {
        stdin: stdin(),
        stdout: { write, once: () => {}, on: () => {} },
        stderr: { write },
      });
      const { scores } = JSON.parse(printed);
      assert.deepEqual(
        [scores.shouting, scores.pii],
        name === 'pii' ? [undefined, 0] : [0.8, null],
      );
    }
  });

  it('a stage in a module that settings name is refused where its entry is wrong', (test) => {
    const { read } = createWorld(test);
    assert.throws(() => read([{ name: 'shouting', modul: './shouting.mjs' }]), {
      message: /^stages\[0\]\.modul: unknown option; known are .*, module\. Did you mean module\?$/,
    });
    assert.throws(() => read([{ name: 'shouting' }]), {
      message: /; got "shouting"\. A stage of your own is made by .* needs "module"\.$/,
    });
  });

  it('a stage in a module that settings name is refused where the module is not as it should be', (test) => {
    const { folder, read } = createWorld(test, {
      'none.mjs': 'export const stage = 1;',
      'other.mjs': 'export default { name: "other" };',
      'broken.mjs': 'export default (;',
      'late.mjs': 'export default await Promise.resolve(1);',
      'throws.cjs': 'throw new Error("no licence");',
      'null.cjs': 'throw null',
    });
    const cases: [object, string, RegExp][] = [
      [{ module: './missing.mjs' }, 'module', /there is no file .*missing\.mjs$/],
      [{ module: 'no-such-package' }, 'module', /there is no package no-such-package in /],
      [{ module: 7 }, 'module', /expected the path of a module, such as "\.\/my-stage\.js"; got 7/],
      [{ module: './none.mjs' }, 'module', /there is no default export in .*none\.mjs: export def/],
      [{ module: './other.mjs' }, 'module', /the default export of .*other\.mjs is no stage: exp/],
      [{ module: './broken.mjs' }, 'module', /cannot load .*broken\.mjs: /],
      [{ module: './late.mjs' }, 'module', /cannot load .*late\.mjs: it has an await at its top/],
      [{ module: './throws.cjs' }, 'module', /cannot load .*throws\.cjs: no licence/],
      [{ module: './null.cjs' }, 'module', /cannot load .*null\.cjs: null/],
      [{ module: './shouting.mjs', options: [5] }, 'options', /expected an object/],
      [{ name: 'showting', module: './shouting.mjs' }, 'name', /defines the stage shouting; got/],
      [
        { module: './shouting.mjs', option: {} },
        'option',
        /unknown option; .*Did you mean options\?/,
      ],
    ];
    for (const [entry, member, message] of cases) {
      const stages = [{ name: 'pii_scanner' }, { name: 'shouting', ...entry }];
      assert.throws(() => read(stages), {
        name: 'PipelineConfigError',
        option: `stages[1].${member}`,
        message,
      });
    }
    assert.ok(folder);
  });
});
