// pg-boss with two workers of 32 jobs, polling at its shortest interval.
import { importPeer } from '../peers.mjs';
import { createPost } from '../post.mjs';
import { createHistory } from './history.mjs';

const QUEUE = 'webhooks';

export async function createSender({ endpoints, location, peers, fresh }) {
  const { default: PgBoss } = await importPeer(peers, 'pg-boss');
  const post = await createPost({ peers, fresh });
  const history = await createHistory(location, peers);
  const boss = new PgBoss({ connectionString: location, max: 8 });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  const work = async ({ data: { id, endpoint, data } }) => {
    const { url } = endpoints[endpoint];
    const body = JSON.stringify({ id, type: 'bench', data });
    const { status, answer } = await post({ id, url, body });
    await history.add({ id, url, status, answer });
    if (status >= 300) throw new Error(`status ${status}`);
  };
  const retry = { retryLimit: 5, retryBackoff: true, retryDelay: 1 };
  return {
    enqueue: (event) => boss.send(QUEUE, event, retry),
    async start() {
      const options = { batchSize: 32, pollingIntervalSeconds: 0.5 };
      for (let count = 0; count < 2; count += 1) {
        await boss.work(QUEUE, options, (jobs) => Promise.all(jobs.map(work)));
      }
    },
    async stop() {
      await boss.stop({ graceful: false });
      await history.close();
    },
  };
}
