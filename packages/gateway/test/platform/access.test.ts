import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { isInTheClear } from '../../src/platform/platform-state.ts';
import { startGateway } from '../world.ts';
import { startPlatform } from './platform.ts';

for (const [url, expected] of [
  ['http://probity.example.com', true],
  ['http://10.0.0.5:3000', true],
  ['https://probity.example.com', false],
  ['http://127.0.0.1:3000', false],
  ['http://[::1]:3000', false],
  ['http://localhost:3000', false],
] as const) {
  test(`${url} ${expected ? 'sends' : 'does not send'} the platform's key in the clear`, () => {
    assert.equal(isInTheClear({ url, key: 'pbk_x' }), expected);
  });
}

test('the gateway warns at the start of a platform over plain HTTP', async (t) => {
  const platform = await startPlatform(t);
  const warningsOf = async (url: string) => {
    const env = { PROBITY_PLATFORM_URL: url, PROBITY_PLATFORM_KEY: 'pbk_x' };
    const gateway = await startGateway(t, '', { env, clock: createTestClock() });
    const isWarning = ({ message }: Record<string, unknown>) =>
      String(message).startsWith('PROBITY_PLATFORM_URL sends the key');
    return gateway.records().filter(isWarning).length;
  };
  assert.equal(await warningsOf(platform.url), 0);
  // 0.0.0.0 reaches this machine, and is not a loopback address.
  assert.equal(await warningsOf(platform.url.replace('127.0.0.1', '0.0.0.0')), 1);
});
