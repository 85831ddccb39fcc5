import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { PROTECTED } from '../bypass/kinds.ts';
import { at, startGateway, typesOf } from '../world.ts';

const OTHER =
  'No carrier may open the third hold of the vessel before the harbour master has counted all crates.';
const keys = (options: string, threshold = ', threshold: 0.5') =>
  `scanning: {stages: [{name: contamination_check${threshold}}]}\n` +
  `stage_config: {contamination_check: {${options}}}`;
const texts = (...all: readonly string[]) => `protected_texts: ${JSON.stringify(all)}`;

test('stage_config.contamination_check.protected_texts are found in responses', async (t) => {
  const gateway = await startGateway(t, keys(texts(PROTECTED)));
  const { status, body } = await gateway.scan({ response: `It says: ${PROTECTED}` });
  assert.equal(status, 403);
  assert.equal(at(body, 'error.code'), 'POLICY_BLOCKED');
  assert.equal(at(body, 'governance.violation_reason'), 'contamination_check found verbatim');
  assert.equal((await gateway.scan({ response: OTHER })).status, 200);
  assert.equal((await gateway.scan({ prompt: PROTECTED, response: 'Yes.' })).status, 200);
});

test('contamination_check only flags without a threshold', async (t) => {
  const gateway = await startGateway(t, keys(texts(PROTECTED), ''));
  const answer = await gateway.scan({ response: PROTECTED });
  assert.equal(answer.status, 200);
  assert.equal(at(answer.body, 'data.verdict'), 'flagged');
  assert.deepEqual(typesOf(answer), ['verbatim']);
});

test('stage_config.contamination_check.protected_files are one text each, or a JSON list of texts', async (t) => {
  const folder = temporaryFolder(t).path;
  writeFileSync(join(folder, 'memo.txt'), `${PROTECTED}\n`);
  writeFileSync(join(folder, 'list.json'), JSON.stringify([OTHER]));
  const both = `protected_files: [${join(folder, 'memo.txt')}, ${join(folder, 'list.json')}]`;
  const gateway = await startGateway(t, keys(both));
  for (const response of [PROTECTED, OTHER]) {
    assert.equal((await gateway.scan({ response })).status, 403);
  }
  assert.equal((await gateway.scan({ response: 'The ship sails on Monday.' })).status, 200);
});

test('stage_config.contamination_check.canaries must not appear', async (t) => {
  const gateway = await startGateway(t, keys('canaries: [zebra-4417]'));
  const answer = await gateway.scan({ response: 'It is zebra-4417.' });
  assert.equal(answer.status, 403);
  assert.deepEqual(typesOf(answer), ['canary']);
  assert.equal((await gateway.scan({ response: 'It is zebra-4418.' })).status, 200);
});

test('a protected text that a long response has is found in the thread as well', async (t) => {
  const gateway = await startGateway(t, keys(texts(PROTECTED)));
  const filler = 'The parcel left the warehouse this morning. '.repeat(900);
  assert.equal((await gateway.scan({ response: `${filler}${PROTECTED}` })).status, 403);
  assert.equal((await gateway.scan({ response: filler })).status, 200);
});
