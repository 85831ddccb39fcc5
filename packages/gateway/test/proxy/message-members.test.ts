import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerText, SSN, startProxy } from './proxy-world.ts';

const TEXT = `Her SSN is ${SSN}.`;

/** The members of each interface that hold messages, and a request that is complete without them. */
const INTERFACES: readonly (readonly [path: string, members: readonly string[], rest: object])[] = [
  ['/v1/chat/completions', ['messages'], {}],
  ['/v1/responses', ['instructions', 'input'], { input: 'Hi' }],
  ['/v1/embeddings', ['input'], {}],
];

/** A text in every type that JSON has. */
const VALUES: readonly unknown[] = [
  TEXT,
  [TEXT],
  [[TEXT]],
  { text: TEXT },
  { content: TEXT },
  { role: 'user', content: TEXT },
  [{ role: 'user', content: TEXT }],
  [{ role: 'system', content: [{ type: 'text', text: TEXT }] }],
  [{ type: 'input_text', text: TEXT }],
  [{ type: 'item_reference', id: TEXT }],
  [{ id: TEXT }],
  [{ id: 'rs_1', text: TEXT }],
  [{ type: 'compaction', encrypted_content: TEXT }],
  { [TEXT]: 1 },
];

for (const media of ['refuse', 'pass']) {
  describe(`models.media: ${media}`, () => {
    for (const [path, members, rest] of INTERFACES) {
      for (const member of members) {
        it(`${path} sends no ${member} to the provider unread, whatever its type`, async (t) => {
          const { post, model } = await startProxy(t, {
            models: (url) => providerText(url).replace('models:\n', `models:\n  media: ${media}\n`),
          });
          for (const value of VALUES) {
            const { status, text } = await post(path, { model: 'm', ...rest, [member]: value });
            assert.ok(
              status === 400 || status === 403,
              `${JSON.stringify(value)}: ${status} ${text}`,
            );
          }
          assert.equal(model.calls.length, 0);
        });
      }
    }
  });
}

it('redacts tools of every type in requests to /v1/messages', async (t) => {
  const { post, model } = await startProxy(t, {
    models: (url) => providerText(url).replace('models:\n', 'models:\n  redact: mask\n'),
  });
  for (const tools of [...VALUES, 4_111_111_111_111_111]) {
    const messages = [{ role: 'user', content: 'Hi' }];
    const { status, text } = await post('/v1/messages', { model: 'm', messages, tools });
    assert.ok(status !== 500, `${JSON.stringify(tools)}: ${text}`);
  }
  assert.ok(model.calls.length > 0);
  for (const { text } of model.calls) assert.ok(!/8145|4111/.test(text), text);
});
