import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { webhooks } from '@probity/webhooks';
import { callerOf } from './sessions';

function create() {
  return createProbity({
    database: process.env.DATABASE ?? 'sqlite:./app.db',
    authenticate: ({ headers }) => callerOf(headers.cookie), // the user of the session, or null
    capabilities: [governance(), webhooks()],
  });
}

const shared = globalThis as { probity?: ReturnType<typeof create> };
shared.probity ??= create();

/**
 * One for the process: Next bundles this module separately for instrumentation and for each route,
 * and in development evaluates it again after every change.
 */
export const probity = shared.probity;
