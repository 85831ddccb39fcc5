import { createHmac } from 'node:crypto';
import { importPeer } from './peers.mjs';

const SECRET = Buffer.from('c2VjcmV0', 'base64');

/**
 * A signed POST with undici; `fresh` takes a connection for each, as deliveries of Probity do, otherwise connections
 * are kept.
 */
export async function createPost({ peers, fresh }) {
  const { Agent, request } = await importPeer(peers, 'undici');
  const dispatcher = new Agent({ connections: 64, pipelining: 1 });
  return async ({ id, url, body }) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const hmac = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': `v1,${hmac}`,
    };
    const options = { dispatcher, method: 'POST', headers, body, reset: fresh };
    const response = await request(url, options);
    const answer = await response.body.text();
    return { status: response.statusCode, answer };
  };
}
