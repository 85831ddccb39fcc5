// Probity in an application: events of the host's own, history, guard and signatures on.
import { z } from 'zod';
import { contextOf, createProbity } from '../../../packages/core/dist/src/index.js';
import { webhooks } from '../../../packages/webhooks/dist/src/index.js';

export async function createSender({ location, endpoints }) {
  const schema = z.strictObject({ number: z.int(), filler: z.string() });
  const example = { number: 1, filler: '' };
  const nameOf = (index) => `bench.e${index}`;
  const eventTypes = Object.fromEntries(
    endpoints.map((_, index) => [nameOf(index), { description: 'An event.', schema, example }]),
  );
  const probity = createProbity({
    database: location,
    authenticate: () => null,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    capabilities: [webhooks({ eventTypes, egress: '127.0.0.1/32' })],
  });
  await probity.migrate();
  const { webhooks: service } = probity.services;
  for (const [index, { url, tenant, ordered = false }] of endpoints.entries()) {
    const caller = { organizationId: tenant, memberId: 'bench', role: 'admin' };
    await service.create(contextOf(caller), { url, events: [nameOf(index)], ordered });
  }
  return {
    async enqueue({ id, endpoint, data }) {
      const context = contextOf({ organizationId: endpoints[endpoint].tenant });
      await service.publish(context, { id, type: nameOf(endpoint), data });
    },
    start: () => probity.start(),
    stop: () => probity.stop(),
  };
}
