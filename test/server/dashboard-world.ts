import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import type { Window } from './browser.ts';
import { openWindow } from './browser.ts';
import type { Bootstrapped } from './support.ts';
import { bootstrap, serve, setPassword } from './support.ts';

export const EMAIL = 'ann@acme.example';
export const PASSWORD = 'the first one of Ann';

/** A server, its owner, and windows on its dashboard. */
export interface World {
  readonly url: string;
  readonly owner: Bootstrapped;
  readonly open: (path?: string, options?: Parameters<typeof openWindow>[2]) => Promise<Window>;
}

/** A server with an owner who has a password. */
export async function createWorld(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<World> {
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const owner = await bootstrap(location);
  const { url } = await serve(t, location, { env });
  await setPassword(url, owner, PASSWORD);
  return {
    url,
    owner,
    async open(path = '', options = {}) {
      const window = await openWindow(t, url, options);
      await window.page.goto(`${url}/dashboard/${path}`);
      return window;
    },
  };
}

/** A page that the browser had nothing to say about. */
export function assertClean({ faults, foreign }: Window): void {
  assert.deepEqual([faults, foreign], [[], []]);
}
