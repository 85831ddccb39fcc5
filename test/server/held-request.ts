import { once } from 'node:events';
import { request } from 'node:http';

/** A request whose last byte is sent later. */
export interface HeldRequest {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly body: unknown;
}

/**
 * Sends a request, runs `meanwhile` when the server has accepted its head, then sends the body;
 * returns the status of the answer.
 */
export async function sendAround(
  held: HeldRequest,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const body = JSON.stringify(held.body);
  const outgoing = request(held.url, {
    method: held.method,
    headers: {
      Authorization: `Bearer ${held.key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      // The server answers 100 once it has decided from the head to read the body.
      Expect: '100-continue',
    },
  });
  const response = once(outgoing, 'response');
  await Promise.race([once(outgoing, 'continue'), response]);
  await meanwhile();
  outgoing.end(body);
  const [answer] = await response;
  answer.resume();
  return answer.statusCode;
}
