// Spends calls of an organization on the free plan, ten at a time, until none are left or it is
// killed; prints a line for each accepted call.
import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@probity/core';
import { createRuntime, ProbityError, systemClock } from '@probity/core';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import { createQuotaMeter } from '../../src/usage/quota-meter.ts';
import { openDatabase } from './database.ts';

const [url = '', organizationId = ''] = process.argv.slice(2);
const database = openDatabase(url);
const storage = createSqlPlatformStorage(database);
// In the middle of a month: a new month would bring a new quota.
const clock = { ...systemClock, now: () => new Date('2026-01-15T12:00:00.000Z') };
const meter = createQuotaMeter(createRuntime({ database, clock }), { storage });
const principal: Principal = {
  organizationId,
  memberId: 'mem_1',
  keyId: 'key_1',
  role: 'owner',
  plan: 'free',
};

async function spend(): Promise<boolean> {
  try {
    await meter.spend(principal, 'api_requests', 1);
    process.stdout.write('{"message":"spent"}\n');
    return true;
  } catch (error) {
    if (error instanceof ProbityError) return false;
    throw error;
  }
}

for (let isLeft = true; isLeft; ) {
  const spent = await Promise.all(Array.from({ length: 10 }, spend));
  isLeft = spent.some(Boolean);
  await delay(20);
}
await database.close();
