import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { contextOf, createProbity, silentLogger } from '@probity/core';
import { startHttpsReceiver } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { webhooks } from '@probity/webhooks';
import {
  bootstrap,
  call,
  createWebhook,
  ENCRYPTION_KEY,
  emptyDatabases,
  run,
  scanLeak,
  serveProcess,
} from './support.ts';

const SINCE = '2026-01-01T00:00:00Z';

async function start(t: TestContext, location: string) {
  const receiver = await startHttpsReceiver({ test: t });
  const { api_key: key, organization_id: organization } = await bootstrap(location);
  const server = await serveProcess(t, location, { receiver });
  await scanLeak(server.url, key);
  const webhook = await createWebhook(server.url, key, receiver);
  /** Runs `webhooks …` on the database. */
  const webhooks = async (...args: string[]) => {
    const owner = ['--organization', organization, '--database', location];
    const program = run(t, ['webhooks', ...args, ...owner]);
    const code = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };
  return { receiver, key, server, webhook, webhooks };
}

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`webhooks on ${empty.name}`, () => {
    it('the commands list, try and replay webhooks beside a running server', async (t) => {
      const { receiver, key, server, webhook, webhooks } = await start(t, await empty.create(t));
      const { id } = webhook;
      const listed = await webhooks('list');
      assert.equal(listed.code, 0, listed.stderr);
      assert.match(listed.stdout, new RegExp(`^${id}  https://\\S+  \\S+  active\n$`));
      const [found] = JSON.parse((await webhooks('list', '--json')).stdout);
      assert.equal(found.id, id);

      const tried = await webhooks('test', id, '--type', 'alert.resolved');
      // The events of the scan may become deliveries after the webhook was created.
      const tests = receiver.requests.filter(({ headers }) => headers['webhook-test'] === 'true');
      assert.deepEqual([tried.code, tests.length], [0, 1], tried.stderr);
      assert.match(tried.stdout, /^dlv_\w+ {2}delivered {2}1 attempts, the last: status 200\n$/);

      const before = receiver.requests.length;
      const replayed = await webhooks('replay', id, '--since', SINCE);
      assert.equal(replayed.code, 0, replayed.stderr);
      const sent = receiver.requests.length - before;
      assert.ok(sent > 0, 'those of the scan');
      const result = new RegExp(`^rpl_\\w+  completed  ${sent} of ${sent}\n$`);
      assert.match(replayed.stdout, result);
      assert.match(replayed.stderr, /running/);

      const nothing = await webhooks('replay', id, '--since', SINCE, '--failed', '--json');
      assert.equal(nothing.code, 0, nothing.stderr);
      const { kind, total } = JSON.parse(nothing.stdout);
      assert.deepEqual([kind, total], ['failed', 0]);

      await call(`${server.url}/api/v1/webhooks/${id}`, key, 'PATCH', { active: false });
      const refused = await webhooks('replay', id, '--since', SINCE);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /The webhook is off/);
      receiver.respondWith(() => ({ status: 410 }));
      const failing = await webhooks('test', id);
      assert.equal(failing.code, 1);
      assert.match(failing.stderr, /was not delivered: failed/);
    });
  });
}

describe('webhooks', () => {
  it('those of an application are replayed by their types, and tested by the application alone', async (t) => {
    const [sqlite] = emptyDatabases;
    const location = (await sqlite?.create(t)) ?? '';
    const eventTypes = { 'order.paid': { description: 'An order was paid.', example: {} } };
    const probity = createProbity({
      database: location as `sqlite:${string}`,
      authenticate: () => null,
      capabilities: [webhooks({ eventTypes })],
      logger: silentLogger,
      encryptionKey: ENCRYPTION_KEY,
    });
    t.after(() => probity.stop());
    await probity.migrate();
    await probity.start();
    const context = contextOf({ organizationId: 'acme' });
    const input = { url: 'https://8.8.8.8/hook', events: ['order.paid'] };
    const { webhook } = await probity.services.webhooks.create(context, input);
    const command = async (...args: string[]) => {
      const owner = ['--organization', 'acme', '--database', location];
      const program = run(t, ['webhooks', ...args, ...owner]);
      return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
    };
    for (const type of [[], ['--type', 'alert.created']]) {
      const { code, stderr } = await command('test', webhook.id, ...type);
      assert.equal(code, 1);
      assert.match(stderr, /lists event types of an application, order.paid: send the test there/);
    }
    const replay = ['replay', webhook.id, '--since', SINCE, '--types', 'order.paid'];
    const { code, stdout, stderr } = await command(...replay);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /completed {2}0 of 0/);
  });

  it('a command line that is wrong is refused, with 2 where an option is missing', async (t) => {
    const [sqlite] = emptyDatabases;
    const { webhook, webhooks } = await start(t, (await sqlite?.create(t)) ?? '');
    const { id } = webhook;
    assert.equal((await webhooks('replay', id)).code, 2, 'without --since');
    const cases: Array<[string[], RegExp]> = [
      [['replay', id, '--since', 'yesterday'], /ISO 8601/],
      [['replay', id, '--since', SINCE, '--failed', '--types', 'alert.created'], /all event types/],
      [['replay', id, '--since', SINCE, '--types', 'nothing.happened'], /must be one of/],
      [['replay', 'whk_unknown', '--since', SINCE], /webhook/],
      [['test', 'whk_unknown'], /webhook/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await webhooks(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, message);
    }
  });
});
