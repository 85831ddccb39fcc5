import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policy } from '@probity/pipeline';
import OpenAI, { AuthenticationError, BadRequestError } from 'openai';
import { createApi } from '../api.ts';
import { BENIGN, SSN } from '../world.ts';

const POLICY: Policy = {
  ...{ id: 'pol_doors', name: 'Doors', enabled: true },
  rules: [{ stage: 'pii_scanner', types: ['ssn'], action: 'block' }],
};

test("OpenAI's own client gets moderations: one text, several, and parts", async (t) => {
  const { url, scans, context } = await createApi(t, { policies: [POLICY] });
  const client = new OpenAI({ baseURL: `${url}/doors/openai/v1`, apiKey: 'owner', maxRetries: 0 });

  const one = await client.moderations.create({ input: BENIGN });
  assert.deepEqual([one.results.length, one.results[0]?.flagged], [1, false]);
  assert.match(one.id, /^modr/);

  const model = 'omni-moderation-latest';
  const several = await client.moderations.create({ model, input: [BENIGN, `SSN ${SSN}`] });
  assert.equal(several.model, model);
  assert.deepEqual(
    several.results.map(({ flagged }) => flagged),
    [false, true],
  );
  for (const { categories, category_scores: scores } of several.results) {
    assert.equal(typeof categories['hate/threatening'], 'boolean');
    assert.ok(scores.violence >= 0 && scores.violence <= 1);
  }

  const image_url = { url: 'https://images.example/cat.png' };
  const parts = await client.moderations.create({
    model,
    input: [
      { type: 'text', text: `SSN ${SSN}` },
      { type: 'image_url', image_url },
    ],
  });
  assert.deepEqual(
    parts.results.map(({ flagged }) => flagged),
    [true],
  );
  const { total } = await scans.list(context, {}, { limit: 1, offset: 0 });
  assert.equal(total, 4);
});

test("errors reach OpenAI's own client as the errors that it knows", async (t) => {
  const { url } = await createApi(t);
  const baseURL = `${url}/doors/openai/v1`;
  const stranger = new OpenAI({ baseURL, apiKey: 'nobody', maxRetries: 0 });
  await assert.rejects(stranger.moderations.create({ input: BENIGN }), AuthenticationError);
  const client = new OpenAI({ baseURL, apiKey: 'owner', maxRetries: 0 });
  const failed = await client.moderations.create({ input: [] }).then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  );
  assert.ok(failed instanceof OpenAI.APIError && !(failed instanceof BadRequestError));
  assert.equal(failed.status, 422);
  assert.match(failed.message, /input/);
});
