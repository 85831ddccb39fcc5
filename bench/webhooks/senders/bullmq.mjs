// BullMQ as its documentation shows it, with as many jobs at once as the others have requests in flight.
import { importPeer } from '../peers.mjs';
import { createPost } from '../post.mjs';
import { createHistory } from './history.mjs';

export async function createSender({ endpoints, location, peers, fresh, redis }) {
  const { Queue, Worker } = await importPeer(peers, 'bullmq');
  const post = await createPost({ peers, fresh });
  const history = await createHistory(location, peers);
  const connection = { url: redis, maxRetriesPerRequest: null };
  const name = `webhooks-${process.pid}`;
  const queue = new Queue(name, { connection });
  const work = async ({ data: { id, endpoint, data } }) => {
    const { url } = endpoints[endpoint];
    const body = JSON.stringify({ id, type: 'bench', data });
    const { status, answer } = await post({ id, url, body });
    await history.add({ id, url, status, answer });
    if (status >= 300) throw new Error(`status ${status}`);
  };
  const worker = new Worker(name, work, {
    connection,
    concurrency: 64,
    autorun: false,
    removeOnComplete: { count: 0 },
  });
  await worker.waitUntilReady();
  const options = { attempts: 6, backoff: { type: 'exponential', delay: 1_000 } };
  return {
    enqueue: (event) => queue.add('deliver', event, options),
    async start() {
      void worker.run();
    },
    async stop() {
      await worker.close();
      await queue.close();
      await history.close();
    },
  };
}
