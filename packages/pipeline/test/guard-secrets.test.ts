import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard, createPipeline } from '../src/index.ts';

// Put together here, so that no scanner of repositories takes it for a real one.
const TOKEN = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

test('a guard flags a secret by default, in prompts and answers', async () => {
  const guard = createGuard();
  for (const input of [{ prompt: `Use ${TOKEN}.` }, { response: `Use ${TOKEN}.` }]) {
    const { verdict, reason } = await guard.check(input);
    assert.equal(verdict, 'flagged');
    assert.match(reason ?? '', /^secrets_scanner flagged (access_token|api_key)$/);
  }
  assert.equal((await guard.check({ response: 'We open at nine.' })).verdict, 'allowed');
});

test('a guard runs the stages of a given pipeline', async () => {
  const guard = createGuard({ pipeline: createPipeline() });
  assert.equal((await guard.check({ response: `Use ${TOKEN}.` })).verdict, 'allowed');
});
