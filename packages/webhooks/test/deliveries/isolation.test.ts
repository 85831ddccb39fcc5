import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTcpReceiver } from '../tcp-receiver.ts';
import { createWorld } from '../world.ts';

const EVENTS = 40;

/** Places of the worker that one organization uses: three quarters of 128. */
const PLACES = 96;

test('one hanging endpoint does not delay nine healthy ones', async (t) => {
  const world = await createWorld(t);
  const hanging = await world.subscribe(() => undefined);
  const healthy = [];
  for (let index = 0; index < 9; index += 1) healthy.push(await world.subscribe());
  await world.deliverer.start();
  await world.publish(EVENTS);
  // The clock does not advance, so nothing that waits for a timeout can proceed.
  const complete = healthy.map(({ receiver }) =>
    receiver.waitFor((_, all) => all.length === EVENTS),
  );
  await Promise.all(complete);
  assert.ok(hanging.receiver.requests.length <= 8, 'its share of the worker is bounded');
  await world.deliverer.stop();
  const deliveries = await world.deliveriesOf(hanging.webhook.id);
  assert.ok(deliveries.every(({ status, attempts }) => status === 'pending' && !attempts.length));
});

test('many hanging endpoints release their worker slots once they prove slow', async (t) => {
  const world = await createWorld(t);
  let inHand = 0;
  await new Promise<void>((isFull, reject) => {
    const hang = () => {
      inHand += 1;
      if (inHand === PLACES) isFull();
      return undefined;
    };
    const hanging = Array.from({ length: 13 }, () => world.subscribe(hang));
    Promise.all(hanging)
      .then(() => world.publish(EVENTS))
      .then(() => world.deliverer.start())
      .catch(reject);
  });
  const healthy = await world.subscribe();
  await world.publish(EVENTS);
  await world.clock.advance(2_100);
  await healthy.receiver.waitFor((_, all) => all.length === EVENTS);
  await world.deliverer.stop();
});

test('endpoints that hang in the TLS handshake delay no healthy endpoint', async (t) => {
  const world = await createWorld(t);
  let greetings = 0;
  for (let index = 0; index < 13; index += 1) {
    const { url } = await startTcpReceiver(t, () => {
      greetings += 1;
    });
    const events = ['alert.created'];
    await world.webhooks.create(world.context, { url: `${url}/hook`, events });
  }
  await world.publish(EVENTS);
  await world.deliverer.start();
  const healthy = await world.subscribe();
  await world.publish(EVENTS);
  const complete = healthy.receiver.waitFor((_, all) => all.length === EVENTS);
  // Three seconds, a tenth of the time limit of an attempt.
  for (let step = 0; step < 30; step += 1) {
    const before = greetings;
    await world.clock.advance(100);
    for (let turn = 0; turn < 50 && greetings === before; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await complete;
  await world.deliverer.stop();
});
