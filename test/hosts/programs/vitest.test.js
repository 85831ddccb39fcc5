import { expect, test } from 'vitest';
import { scanLeak } from './scan.js';

test('a leak is blocked', async () => {
  expect(await scanLeak()).toBe('403 PII_DETECTED ok,ok,ok,ok,ok');
});
