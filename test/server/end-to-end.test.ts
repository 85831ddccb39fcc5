import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ReceivedRequest } from '@probity/test-support';
import { startHttpsReceiver } from '@probity/test-support';
import { Webhook } from 'standardwebhooks';
import {
  bootstrap,
  call,
  createWebhook,
  emptyDatabases,
  LEAK,
  runBootstrap,
  scanLeak,
  serveProcess,
} from './support.ts';

function eventOf(request: ReceivedRequest) {
  return JSON.parse(request.rawBody.toString());
}

function verifySignatures(request: ReceivedRequest, secret: string): void {
  const headers = request.headers as Record<string, string>;
  assert.doesNotThrow(() => new Webhook(secret).verify(request.rawBody.toString(), headers));
  const digest = createHmac('sha256', secret).update(request.rawBody).digest('hex');
  assert.equal(headers['x-service-signature'], `sha256=${digest}`);
}

for (const database of emptyDatabases) {
  describe(`the main job on ${database.name}`, { concurrency: 2 }, () => {
    it('a server blocks a leak, stores an alert and delivers a signed event', async (t) => {
      const receiver = await startHttpsReceiver({ test: t });
      const location = await database.create(t);
      const { api_key: key, organization_id: organizationId } = await runBootstrap(t, location);
      const { url, program } = await serveProcess(t, location, { receiver });
      const { secret } = await createWebhook(url, key, receiver);

      const scan = await scanLeak(url, key);
      assert.equal(scan.status, 403);
      assert.equal(scan.body.error.code, 'PII_DETECTED');
      assert.equal(scan.body.error.statusCode, 403);
      assert.equal(scan.body.error.requestId, scan.headers.get('x-request-id'));
      const { governance } = scan.body;
      assert.equal(governance.verdict, 'blocked');
      assert.ok(governance.policy_id && governance.violation_reason && governance.scan_id);
      const found = new Map(governance.findings.map((f: { type: string }) => [f.type, f]));
      assert.deepEqual(
        ['ssn', 'credit_card'].map((type) => {
          const { start, end } = found.get(type) as { start: number; end: number };
          return LEAK.slice(start, end);
        }),
        ['536-22-8145', '4539 1488 0343 6467'],
      );
      assert.ok(governance.scores.toxicity < 0.7);

      const request = await receiver.waitFor((each) => eventOf(each).type === 'alert.created');
      verifySignatures(request, secret);
      const alerts = await call(`${url}/api/v1/alerts`, key);
      assert.equal(alerts.body.total, 1);
      assert.equal(eventOf(request).data.alertId, alerts.body.data[0].id);
      assert.equal(alerts.body.data[0].scanId, governance.scan_id);

      const organization = await call(`${url}/v1/organizations/${organizationId}`, key);
      assert.equal(organization.body.plan, 'enterprise');
      assert.equal(await program.terminate(), 0);
    });

    it('a new process delivers the event of a process that was killed before delivery', async (t) => {
      const receiver = await startHttpsReceiver({ test: t });
      const location = await database.create(t, 'disk');
      const { api_key: key } = await bootstrap(location);
      // A process with the role api stores events but never delivers them.
      const first = await serveProcess(t, location, { receiver, args: ['--role', 'api'] });
      const { secret } = await createWebhook(first.url, key, receiver);
      const { body } = await scanLeak(first.url, key);
      await first.program.kill9();
      assert.equal(receiver.requests.length, 0);

      await serveProcess(t, location, { receiver });
      const request = await receiver.waitFor(
        (each) => eventOf(each).data.scanId === body.governance.scan_id,
      );
      verifySignatures(request, secret);
    });

    it('a new process repeats the delivery that was in flight when its process was killed', async (t) => {
      const receiver = await startHttpsReceiver({ test: t, handler: () => undefined });
      const location = await database.create(t, 'disk');
      const { api_key: key } = await bootstrap(location);
      const first = await serveProcess(t, location, { receiver });
      await createWebhook(first.url, key, receiver);
      await scanLeak(first.url, key);
      const unanswered = await receiver.waitFor(() => true);
      await first.program.kill9();

      receiver.respondWith(() => ({ status: 200 }));
      await serveProcess(t, location, { receiver });
      const repeated = await receiver.waitFor(
        (each) => each !== unanswered && eventOf(each).id === eventOf(unanswered).id,
      );
      assert.deepEqual(repeated.rawBody, unanswered.rawBody);
    });

    it('organizations with the same name can be bootstrapped concurrently', async (t) => {
      const location = await database.create(t);
      await bootstrap(location);
      const made = await Promise.all(Array.from({ length: 3 }, () => runBootstrap(t, location)));
      assert.equal(new Set(made.map((each) => each.organization_id)).size, 3);
    });

    it('two servers can start concurrently on an empty database', async (t) => {
      const location = await database.create(t);
      const servers = await Promise.all([serveProcess(t, location), serveProcess(t, location)]);
      const { api_key: key, organization_id: id } = await bootstrap(location);
      for (const { url } of servers) {
        const { status } = await call(`${url}/v1/organizations/${id}`, key);
        assert.equal(status, 200);
      }
      const greeted = servers.filter(({ program }) => program.stderr.includes('owner API key'));
      assert.equal(greeted.length, database.name === 'sqlite' ? 1 : 0);
    });
  });
}
