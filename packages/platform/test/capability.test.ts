import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mail } from '@probity/core';
import { createLifecycle, OUTSIDE_REQUEST, silentLogger } from '@probity/core';
import { createEndpointRouter } from '@probity/core/koa';
import { countJobs, serveKoa, testContext } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { PlatformCapabilityOptions } from '../src/capability.ts';
import { createPlatformCapability } from '../src/http.ts';
import type { PlatformTarget } from '../src/testing/targets.ts';
import { BASE_URL, targets, testPasswords, testRuntime } from './support.ts';

const FIRST = { organizationName: 'Acme', ownerEmail: 'owner@acme.example', plan: 'free' } as const;

/** Serves only the platform capability on a database, as a program does. */
async function createWorld(
  t: TestLifetime,
  target: PlatformTarget,
  options: Partial<PlatformCapabilityOptions> = {},
) {
  const { database, storage, dispose } = await target.open();
  t.after(dispose);
  const clock = createTestClock();
  const mails: Mail[] = [];
  const platform = createPlatformCapability(testRuntime({ database, clock }), {
    storage,
    mailer: { send: async (mail) => void mails.push(mail) },
    baseUrl: () => BASE_URL,
    passwords: testPasswords(),
    ...options,
  });
  const { authenticate, meter } = platform;
  const routers = platform.groups.map(({ prefix, errorFormat, endpoints }) =>
    createEndpointRouter(endpoints, errorFormat, {
      authenticate,
      meter,
      clock,
      prefix,
      checkReplies: true,
    }),
  );
  return { database, storage, clock, mails, platform, url: await serveKoa(t, ...routers) };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: the capability of the platform`, () => {
    test('the platform capability serves both APIs to an API key of an organization it created', async (t) => {
      const { platform, url } = await createWorld(t, target);
      const { apiKey } = await platform.bootstrap(FIRST);
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const listed = await fetch(`${url}/v1/organizations`, { headers });
      assert.equal(listed.status, 200);
      const body = JSON.stringify({ kind: 'gateway', instance_id: 'one', version: '1.0.0' });
      const path = `${url}/api/v1/instances/heartbeat`;
      assert.equal((await fetch(path, { method: 'POST', headers, body })).status, 200);
    });

    test('a host chooses the prefixes of the platform capability, and links to invoices follow', async (t) => {
      const prefixes = { platformPrefix: '/governance/v1', generalPrefix: '/governance/api' };
      const { platform, url } = await createWorld(t, target, prefixes);
      const { organizationId, apiKey } = await platform.bootstrap({ ...FIRST, plan: 'starter' });
      const headers = { authorization: `Bearer ${apiKey}` };
      const path = `/governance/v1/organizations/${organizationId}/invoices`;
      const answer = await fetch(url + path, { headers });
      assert.equal(answer.status, 200);
      const { invoices } = (await answer.json()) as { invoices: Array<{ pdf_url: string }> };
      assert.ok(invoices[0]?.pdf_url.startsWith(`${BASE_URL}/governance/v1/invoices/`));
    });

    test("the platform capability creates the first organization once, with the host's settlement", async (t) => {
      const { platform, storage } = await createWorld(t, target, { settlement: 'by_host' });
      const first = await platform.bootstrapFirst({ ...FIRST, plan: 'starter' });
      assert.ok(first);
      assert.equal(await platform.bootstrapFirst(FIRST), null);
      const page = { limit: 5, offset: 0 };
      const { items } = await storage.listInvoices(first.organizationId, page);
      assert.deepEqual(
        items.map(({ status }) => status),
        ['open'],
      );
    });

    test('background work of the platform capability mails invitations, resets and notices from its declared queues', async (t) => {
      const { platform, storage, database, mails } = await createWorld(t, target);
      const organization = await platform.bootstrap(FIRST);
      const owner = testContext({ ...organization, memberId: organization.ownerId });
      const ann = { email: 'ann@acme.example', name: null, role: 'viewer' } as const;
      await platform.services.members.invite(owner, ann);
      await platform.services.signIn.passwordResets.request(FIRST.ownerEmail);
      const { queues = [] } = platform;
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        platform.notices.send(tx, {
          organizationId: organization.organizationId,
          subject: 'A notice',
          text: 'Something has happened.',
        }),
      );
      const waiting = await Promise.all(queues.map((queue) => countJobs(database, queue)));
      assert.deepEqual(waiting, [1, 1, 1]);
      const lifecycle = createLifecycle(platform.background, silentLogger);
      await lifecycle.start();
      await until(() => mails.length === 3, 'all mails are sent');
      await lifecycle.stop();
      const { ownerEmail } = FIRST;
      assert.deepEqual(mails.map(({ to }) => to).sort(), [ann.email, ownerEmail, ownerEmail]);
    });

    test('serving parts of the platform capability write last_used of keys and return unspent units', async (t) => {
      const { platform, storage, clock, url } = await createWorld(t, target);
      const { organizationId, apiKey } = await platform.bootstrap(FIRST);
      const lifecycle = createLifecycle(platform.serving, silentLogger);
      await lifecycle.start();
      const headers = { authorization: `Bearer ${apiKey}` };
      assert.equal((await fetch(`${url}/v1/organizations`, { headers })).status, 200);
      assert.ok((await storage.findTakenUnits(organizationId, '2026-01')).api_requests > 1);
      await lifecycle.stop();
      const { items } = await storage.listApiKeys(organizationId, { limit: 1, offset: 0 });
      assert.deepEqual(items[0]?.lastUsed, clock.now());
      assert.equal((await storage.findTakenUnits(organizationId, '2026-01')).api_requests, 1);
    });

    test('the platform capability declares its retention rules and sealed values', async (t) => {
      const { platform } = await createWorld(t, target);
      assert.deepEqual(
        platform.retention?.map(({ name }) => name),
        [
          ...['instances', 'instance_minutes'],
          ...['sessions', 'password_resets', 'sign_in_failures', 'mail_counts'],
        ],
      );
      assert.deepEqual(
        platform.sealed?.map(({ name }) => name),
        ['invitation_tokens', 'mfa_secrets', 'password_reset_tokens'],
      );
    });
  });
}

test('a runtime without a secret box is refused with the name of the platform capability', async (t) => {
  const [memory] = targets as [PlatformTarget];
  const { database, storage, dispose } = await memory.open();
  t.after(dispose);
  const runtime = { ...testRuntime({ database }), secretBox: undefined };
  const options = { storage, mailer: { send: async () => undefined }, baseUrl: () => BASE_URL };
  assert.throws(() => createPlatformCapability(runtime, options), /platform needs a secretBox/);
});
