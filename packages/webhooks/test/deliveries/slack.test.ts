import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { EventRecord } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { toSlackMessage } from '../../src/deliveries/slack-message.ts';
import { serve } from '../api.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

interface Message {
  readonly text: string;
  readonly blocks: ReadonlyArray<{
    readonly type: string;
    readonly text: { readonly type: string; readonly text: string; readonly verbatim: boolean };
  }>;
}

async function subscribe(t: TestContext, world: World) {
  const { receiver, webhook, secret } = await world.subscribe(() => ({ body: 'ok' }));
  const call = await serve(t, world);
  const path = `/webhooks/${webhook.id}`;
  assert.equal((await call('PATCH', path, { format: 'slack' })).body.data.format, 'slack');
  const messages = () =>
    receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()) as Message);
  return { receiver, webhook, secret, call, path, messages };
}

const textsOf = ({ blocks }: Message) => blocks.map(({ text }) => text.text);

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a delivery in the format slack is a signed message with text and blocks`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { receiver, secret, messages } = await subscribe(t, world);
    const event = await world.emit('Data of <!channel> & others');
    await world.relay.runOnce();
    await world.passSeconds(1);
    assert.deepEqual(messages(), [
      {
        text: 'alert.created: Data of &lt;!channel&gt; &amp; others',
        blocks: [
          '*alert.created*',
          '*alertId:* alr_1\n*severity:* medium\n*type:* pii\n*message:* Data of &lt;!channel&gt; &amp; others',
          `${event.id} · ${event.createdAt.toISOString()}`,
        ].map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })),
      },
    ]);
    const [request] = receiver.requests;
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request.headers['webhook-id'], event.id);
    const hex = createHmac('sha256', secret).update(request.rawBody).digest('hex');
    assert.equal(request.headers['x-service-signature'], `sha256=${hex}`);
  });

  test(`${name}: tests, redeliveries and replays have the format of the webhook`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { webhook, call, path, messages } = await subscribe(t, world);
    await world.publish();
    await world.passSeconds(1);
    const [delivery] = await world.deliveriesOf(webhook.id);
    assert.equal((await call('POST', `${path}/test`)).status, 202);
    await world.passSeconds(1);
    assert.equal((await call('POST', `${path}/deliveries/${delivery?.id}/redeliver`)).status, 202);
    await world.passSeconds(1);
    const since = new Date(0).toISOString();
    assert.equal((await call('POST', `${path}/replay`, { since })).status, 202);
    await world.replayer.runOnce();
    await world.passSeconds(1);
    const texts = messages().map(({ text }) => text);
    const found = 'alert.created: An e-mail address was found';
    assert.deepEqual(texts, [found, 'Test: alert.created: Personal data (email)', found, found]);
  });

  test(`${name}: a delivery shows its sent body after the format has changed`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { receiver, webhook, call, path } = await subscribe(t, world);
    await world.publish();
    const [delivery] = await world.deliveriesOf(webhook.id);
    const bodyNow = async () =>
      (await call('GET', `${path}/deliveries/${delivery?.id}`)).body.data.body as string;
    const before = await bodyNow();
    await world.passSeconds(1);
    await call('PATCH', path, { format: 'standard' });
    const sent = receiver.requests[0]?.rawBody.toString();
    assert.deepEqual([before, await bodyNow()], [sent, sent]);
  });
}

function messageOf(data: object): Message {
  const event: EventRecord = {
    id: 'evt_1',
    organizationId: 'org_1',
    type: 'order.shipped',
    data: data as EventRecord['data'],
    requestId: null,
    createdAt: new Date('2026-01-01T00:00:00.000Z'),
  };
  return JSON.parse(toSlackMessage(event)) as Message;
}

test('an event without a message has all its data in the text of Slack', () => {
  const message = messageOf({ orderId: 'ord_1', boxes: 2, to: { city: 'A > B' } });
  assert.equal(message.text, 'order.shipped: orderId ord_1, boxes 2, to {"city":"A &gt; B"}');
  assert.equal(textsOf(message)[1], '*orderId:* ord_1\n*boxes:* 2\n*to:* {"city":"A &gt; B"}');
  const empty = messageOf({});
  assert.equal(empty.text, 'order.shipped');
  assert.deepEqual(textsOf(empty), ['*order.shipped*', 'evt_1 · 2026-01-01T00:00:00.000Z']);
});

test('a value in several lines passes for no other member in Slack', () => {
  const message = messageOf({ note: 'first\r\n*severity:* low\u2028end', '<b>': 'x' });
  assert.equal(textsOf(message)[1], '*note:* first *severity:* low end\n*&lt;b&gt;:* x');
  assert.equal(message.text, 'order.shipped: note first *severity:* low end, &lt;b&gt; x');
});

for (const [title, data] of [
  ['a long text', { message: '<'.repeat(1_000_000) }],
  ['a long text of characters outside the basic plane', { message: '😀'.repeat(100_000) }],
  ['long names', { ['&'.repeat(10_000)]: 'x' }],
  ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`n${i}`, '&>']))],
  [
    'many long members',
    Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`n${i}`, 'x'.repeat(9_999)])),
  ],
  ['lone surrogates', { message: '\ud800' }],
] as const) {
  test(`a message for Slack keeps its limits with ${title}`, () => {
    const message = messageOf(data);
    assert.ok(message.text.length <= 4_000 && message.text.isWellFormed());
    assert.ok(message.blocks.length <= 50);
    for (const text of [message.text, ...textsOf(message)]) {
      assert.ok(text.length >= 1 && text.length <= 4_000, String(text.length));
      assert.ok(text.isWellFormed());
      assert.doesNotMatch(text, /[<>]|&(?!(?:amp|lt|gt);)/);
    }
    for (const text of textsOf(message)) assert.ok(text.length <= 3_000, String(text.length));
  });
}

test('a message for Slack states how many members of the data it omits', () => {
  const names = Array.from({ length: 30 }, (_, index) => [`n${index}`, 'x'.repeat(2_000)]);
  const texts = textsOf(messageOf(Object.fromEntries(names)));
  const shown = texts.join('\n').match(/^\*n\d+:\*/gm)?.length ?? 0;
  assert.ok(shown >= 16, String(shown));
  assert.equal(texts.at(-1), `${30 - shown} more in the event · evt_1 · 2026-01-01T00:00:00.000Z`);
});
