import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BillingWorld } from '../billing/world.ts';
import { createBillingWorld } from '../billing/world.ts';
import { targets } from '../support.ts';

const HEARTBEAT = '/api/v1/instances/heartbeat';

function beat(
  { send }: Pick<BillingWorld, 'send'>,
  instanceId: string,
  { kind = 'gateway', token }: { kind?: string; token?: string } = {},
) {
  const body = { kind, instance_id: instanceId, version: '1.2.3' };
  return send('POST', HEARTBEAT, token ? { body, token } : { body });
}

for (const target of targets) {
  describe(`${target.name}: instances`, () => {
    test('an instance counts for five minutes after it was last seen', async (t) => {
      const world = await createBillingWorld(t, target);
      const first = await beat(world, 'gw-1');
      assert.equal(first.status, 200);
      assert.deepEqual(first.body.data, {
        kind: 'gateway',
        instance_id: 'gw-1',
        version: '1.2.3',
        first_seen: '2026-01-01T00:00:00.000Z',
        last_seen: '2026-01-01T00:00:00.000Z',
      });
      await beat(world, 'agent-1', { kind: 'sentinel' });
      await world.clock.advance(60_000);
      const again = await beat(world, 'gw-1');
      assert.equal(again.body.data.first_seen, '2026-01-01T00:00:00.000Z');
      assert.equal(again.body.data.last_seen, '2026-01-01T00:01:00.000Z');
      const counts = async () => {
        const { body } = await world.send('GET', world.path);
        const list = (await world.send('GET', '/v1/organizations')).body.organizations[0];
        const usage = (await world.send('GET', `${world.path}/usage`)).body;
        const detail = [body.gateway_instances, body.sentinel_agents];
        assert.deepEqual([list.gateway_instances, list.sentinel_agents], detail);
        assert.deepEqual([usage.gateway_instances.used, usage.sentinel_agents.used], detail);
        return detail;
      };
      assert.deepEqual(await counts(), [1, 1]);
      await world.clock.advance(4 * 60_000);
      assert.deepEqual(await counts(), [1, 0]);
      await world.clock.advance(60_000);
      assert.deepEqual(await counts(), [0, 0]);
    });

    test('an instance above the limit is refused, known ones continue, and places become free with time', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      assert.equal((await beat(world, 'gw-1')).status, 200);
      await world.clock.advance(60_000);
      assert.equal((await beat(world, 'gw-2')).status, 200);
      const refused = await beat(world, 'gw-3');
      assert.equal(refused.status, 409);
      assert.equal(refused.body.error.code, 'CONFLICT');
      assert.match(refused.body.error.message, /limit of 2 gateway_instances/);
      assert.equal((await beat(world, 'gw-2')).status, 200);
      assert.equal((await beat(world, 'gw-3', { kind: 'sentinel' })).status, 200);
      await world.clock.advance(4 * 60_000);
      assert.equal((await beat(world, 'gw-3')).status, 200);
      assert.equal((await beat(world, 'gw-1')).status, 409);
    });

    test('of concurrent new instances only as many as the plan allows get a place', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      const hosts = [world, world.other ?? world];
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          beat(hosts[index % 2] as BillingWorld, `gw-${index}`),
        ),
      );
      const places = answers.filter(({ status }) => status === 200);
      assert.equal(places.length, 2);
      assert.equal((await world.send('GET', world.path)).body.gateway_instances, 2);
    });

    test('a new instance is recorded in the audit log, its later reports are not', async (t) => {
      const world = await createBillingWorld(t, target);
      await beat(world, 'gw-1');
      await beat(world, 'gw-1');
      const log = await world.send('GET', `${world.path}/audit-log?action=instance.registered`);
      assert.equal(log.body.total, 1);
      assert.deepEqual(log.body.audit_log[0].target, { type: 'gateway_instance', id: 'gw-1' });
    });

    test('members may report instances, viewers may not, and bad fields are named', async (t) => {
      const world = await createBillingWorld(t, target);
      const token = await world.createKey('member');
      assert.equal((await beat(world, 'gw-1', { token })).status, 200);
      const viewer = await world.createKey('viewer');
      assert.equal((await beat(world, 'gw-1', { token: viewer })).status, 403);
      const refused = [
        ['kind', await beat(world, 'gw-1', { kind: 'toaster' })],
        ['instance_id', await beat(world, 'a b')],
        ['instance_id', await beat(world, 'x'.repeat(201))],
      ] as const;
      for (const [field, { status, body }] of refused) {
        assert.equal(status, 422);
        assert.equal(body.error.details[0].field, field);
      }
    });
  });
}
