import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseTarget } from '@probity/core/testing';
import { readEvaluation } from '@probity/evaltool';
import type { RedactTexts } from '../../src/index.ts';
import { createEvidenceImports } from '../../src/index.ts';
import { createWorld, targets } from '../world.ts';
import { failing, flat } from './files.ts';

const memory = targets.find(({ name }) => name === 'memory') as DatabaseTarget;

/** Results of two providers whose ids, labels, names and reasons hold a value each. */
const results = ['111', '222'].map((value) =>
  failing('contains', {
    provider: { id: `desk-pin${value}`, label: `label pin${value}` },
    prompt: { raw: 'raw', label: `prompt pin${value}` },
    testCase: {
      metadata: { pluginId: `plugin-pin${value}`, strategyId: `strategy-pin${value}` },
    },
    gradingResult: {
      pass: false,
      reason: `The judge knows pin${value}`,
      componentResults: [{ pass: false, assertion: { type: `is-pin${value}` } }],
    },
  }),
);

async function importWith(
  redactTexts: RedactTexts,
  world: Awaited<ReturnType<typeof createWorld>>,
) {
  const { runtime, storage, context } = world;
  const imports = createEvidenceImports(runtime, { storage, redactTexts });
  const evaluation = await readEvaluation([Buffer.from(JSON.stringify(flat(results)))]);
  return imports.importEvaluation(context, { evaluation });
}

test('an import stores the redacted texts alone', async (t) => {
  const world = await createWorld(t, { target: memory });
  const keys = new Set<string>();
  const hide: RedactTexts = async (texts, { key }) => {
    keys.add(Buffer.from(key).toString('hex'));
    return texts.map((text) => text.replace(/pin(\d)\d\d/, 'code$1'));
  };
  const { evidenceCreated } = await importWith(hide, world);
  assert.equal(evidenceCreated, 4);
  const records = JSON.stringify(await world.storage.readEvidence(world.organizationId, {}, 0, 9));
  assert.doesNotMatch(records, /pin/);
  for (const kept of [
    'desk',
    'label ',
    'prompt ',
    'plugin',
    'strategy',
    'is',
    'The judge knows ',
  ]) {
    assert.match(records, new RegExp(`${kept}-?code1`));
  }
  assert.equal((await importWith(hide, world)).evidenceCreated, 0);
  assert.deepEqual(
    [...keys].map(({ length }) => length),
    [64],
  );
});

test('an import stores nothing when the redaction fails', async (t) => {
  const world = await createWorld(t, { target: memory });
  const fail: RedactTexts = async () => Promise.reject(new Error('a stage failed'));
  await assert.rejects(importWith(fail, world), /a stage failed/);
  assert.deepEqual(await world.storage.readEvidence(world.organizationId, {}, 0, 9), []);
});

test('redactTexts without a secret box in the runtime throws at the start', async (t) => {
  const world = await createWorld(t, { target: memory, isSealed: false });
  await assert.rejects(
    importWith(async (texts) => texts, world),
    /needs a secretBox/,
  );
});
