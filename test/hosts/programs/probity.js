import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { webhooks } from '@probity/webhooks';

/** The host's sessions, by the value of its cookie. */
const sessions = new Map([['ann-session', { organizationId: 'acme', memberId: 'ann' }]]);

export const probity = createProbity({
  database: process.env.DATABASE,
  authenticate({ headers }) {
    const session = /(?:^|; )session=([^;]+)/.exec(headers.cookie ?? '')?.[1];
    const user = sessions.get(session);
    return user ? { ...user, role: 'admin' } : null;
  },
  capabilities: [governance(), webhooks()],
});

export const OWN_PAGE = '/probity/own-page';
export const OWN_TEXT = 'A page of the host.';

/**
 * What the suite asks of the host's body parser: nothing, to parse, or to read the body and keep it
 * nowhere.
 */
export function parserMode(headers) {
  return headers['x-parser'] ?? 'host';
}

/** Reads a body and keeps it nowhere. */
export async function drain(request) {
  for await (const _ of request);
}

/** Starts Probity, says where the host listens, and ends both at SIGTERM. */
export async function run(listen) {
  await probity.migrate();
  await probity.start();
  const { port, close } = await listen();
  process.stdout.write(`${JSON.stringify({ port })}\n`);
  process.once('SIGTERM', async () => {
    await close();
    await probity.stop();
  });
}

/** Listens with a server of node:http, or an application that makes one. */
export function listening(server) {
  return () =>
    new Promise((resolve) => {
      const listener = server.listen(0, '127.0.0.1', () => {
        resolve({
          port: listener.address().port,
          close: () => new Promise((closed) => listener.close(closed)),
        });
      });
    });
}
