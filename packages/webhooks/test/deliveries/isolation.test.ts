import assert from 'node:assert/strict';
import { test } from 'node:test';
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
