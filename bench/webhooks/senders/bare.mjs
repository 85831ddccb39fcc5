// The bare loop: 64 in flight, nothing stored.
import { createPost } from '../post.mjs';

const IN_FLIGHT = 64;

export async function createSender({ endpoints, peers, fresh }) {
  const post = await createPost({ peers, fresh });
  const waiting = [];
  let isStarted = false;
  let inFlight = 0;
  const next = () => {
    while (isStarted && inFlight < IN_FLIGHT && waiting.length > 0) {
      const { id, endpoint, data } = waiting.shift();
      inFlight += 1;
      const body = JSON.stringify({ id, type: 'bench', data });
      void post({ id, url: endpoints[endpoint].url, body })
        .catch((error) => console.error(error))
        .finally(() => {
          inFlight -= 1;
          next();
        });
    }
  };
  return {
    async enqueue(event) {
      waiting.push(event);
      next();
    },
    async start() {
      isStarted = true;
      next();
    },
    async stop() {},
  };
}
