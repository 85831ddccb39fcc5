import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import type { BillingWorld } from '../billing/world.ts';
import { createBillingWorld } from '../billing/world.ts';
import { targets } from '../support.ts';

const USAGE = '/api/v1/instances/usage';

type Minutes = readonly { readonly minute: string; readonly scans: number }[];

function report(
  { send }: Pick<BillingWorld, 'send'>,
  usage: Minutes,
  { instance = 'gw-1', token }: { instance?: string; token?: string } = {},
) {
  const body = { kind: 'gateway', instance_id: instance, usage };
  return send('POST', USAGE, token ? { body, token } : { body });
}

async function usedScans({ send, path }: BillingWorld): Promise<number> {
  return (await send('GET', `${path}/usage`)).body.gateway_scans.used;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: scans that gateways report`, () => {
    test('scans count against the quota once, however often a minute is reported', async (t) => {
      const world = await createBillingWorld(t, target);
      const minutes = [
        { minute: '2026-01-01T00:00:00Z', scans: 5 },
        { minute: '2026-01-01T00:01:00Z', scans: 7 },
      ];
      const first = await report(world, minutes);
      assert.equal(first.status, 200);
      const quota = { limit: 1_000_000, used: 12 };
      const data = { accepted: 2, repeated: 0, expired: 0, gateway_scans: quota };
      assert.deepEqual(first.body.data, data);
      const changed = [{ minute: '2026-01-01T00:00:00Z', scans: 50 }, ...minutes.slice(1)];
      const again = await report(world, changed);
      assert.deepEqual(again.body.data, { ...data, accepted: 0, repeated: 2 });
      await report(world, minutes, { instance: 'gw-2' });
      assert.equal(await usedScans(world), 24);
    });

    test('of parallel reports of one minute, over all instances of the service, one counts', async (t) => {
      const world = await createBillingWorld(t, target);
      const hosts = [world, world.other ?? world];
      const minutes = Array.from({ length: 5 }, (_, index) => ({
        minute: `2026-01-01T00:0${index}:00Z`,
        scans: 10,
      }));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => report(hosts[index % 2] as BillingWorld, minutes)),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const accepted = answers.map(({ body }) => body.data.accepted as number);
      assert.equal(
        accepted.reduce((sum, count) => sum + count, 0),
        5,
      );
      assert.equal(await usedScans(world), 50);
    });

    test('scans count in the month in which they were made', async (t) => {
      const world = await createBillingWorld(t, target);
      await world.clock.advance(31 * 86_400_000);
      const { body } = await report(world, [
        { minute: '2026-01-31T23:59:00Z', scans: 5 },
        { minute: '2026-02-01T00:00:00Z', scans: 1 },
      ]);
      assert.equal(body.data.accepted, 2);
      assert.equal(body.data.gateway_scans.used, 1);
      const { organizationId } = world.organization;
      const january = await world.opened.storage.findTakenUnits(organizationId, '2026-01');
      assert.equal(january.gateway_scans, 5);
    });

    test('scans beyond the quota are counted, and the scans of the service are refused then', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const minute = '2026-01-01T00:00:00Z';
      const { status, body } = await report(world, [{ minute, scans: 1_500 }]);
      assert.equal(status, 200);
      assert.deepEqual(body.data.gateway_scans, { limit: 1_000, used: 1_500 });
      assert.equal((await world.send('POST', '/api/v1/scan')).status, 429);
    });

    test('minutes before the last 90 days are told and not counted, later ones are, and their reports are kept as long', async (t) => {
      const world = await createBillingWorld(t, target);
      await world.clock.advance(90 * 86_400_000 + 60_000);
      const { body } = await report(world, [
        { minute: '2026-01-01T00:00:00Z', scans: 5 },
        { minute: '2026-01-01T00:01:00Z', scans: 5 },
      ]);
      const { accepted, expired } = body.data;
      assert.deepEqual({ accepted, expired }, { accepted: 1, expired: 1 });
    });

    test('bad minutes are refused with their fields, and nothing is counted', async (t) => {
      const world = await createBillingWorld(t, target);
      const good = { minute: '2026-01-01T00:00:00Z', scans: 1 };
      const refused: (readonly [string, Minutes])[] = [
        ['usage.1.minute', [good, { minute: '2026-01-01T00:00:30Z', scans: 1 }]],
        ['usage.1.minute', [good, { minute: '2026-01-01T00:06:00Z', scans: 1 }]],
        ['usage.1.minute', [good, good]],
        ['usage.1.minute', [good, { minute: 'yesterday', scans: 1 }]],
        ['usage.1.scans', [good, { ...good, scans: -1 }]],
        ['usage', []],
      ];
      for (const [field, minutes] of refused) {
        const { status, body } = await report(world, minutes);
        assert.equal(status, 422, field);
        assert.equal(body.error.details[0].field, field);
      }
      assert.equal(await usedScans(world), 0);
    });

    test('administrators withdraw reports once, and the minutes may be reported again', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const minute = '2026-01-01T00:00:00Z';
      await report(world, [{ minute, scans: 1_500 }]);
      await report(world, [{ minute, scans: 3 }], { instance: 'gw-2' });
      const withdraw = (over: object = {}, token?: string) => {
        const range = { since: minute, until: '2026-01-02T00:00:00Z' };
        const body = { kind: 'gateway', instance_id: 'gw-1', ...range, ...over };
        return world.send('POST', `${USAGE}/withdraw`, token ? { body, token } : { body });
      };
      const editor = await world.createKey('editor');
      assert.equal((await withdraw({}, editor)).status, 403);
      assert.deepEqual((await withdraw()).body.data, { withdrawn: 1, scans: 1_500 });
      assert.deepEqual((await withdraw()).body.data, { withdrawn: 0, scans: 0 });
      assert.equal(await usedScans(world), 3);
      const again = await report(world, [{ minute, scans: 15 }]);
      assert.equal(again.body.data.accepted, 1);
      const all = await withdraw({ instance_id: undefined });
      assert.deepEqual(all.body.data, { withdrawn: 2, scans: 18 });
      assert.equal(await usedScans(world), 0);
      const { body } = await world.send('GET', `${world.path}/audit-log`);
      const actions = body.audit_log.map(({ action }: { action: string }) => action);
      assert.equal(actions.filter((each: string) => each === 'instance_usage.withdrawn').length, 2);
      for (const over of [{ until: minute }, { until: '2026-03-01T00:00:00Z' }]) {
        const refused = await withdraw(over);
        assert.deepEqual([refused.status, refused.body.error.details[0].field], [422, 'until']);
      }
    });

    test('an instance reports at most 10 times a minute, and a million scans of one minute', async (t) => {
      const world = await createBillingWorld(t, target);
      const minute = '2026-01-01T00:00:00Z';
      const refused = await report(world, [{ minute, scans: 1_000_001 }], { instance: 'gw-3' });
      assert.deepEqual(
        [refused.status, refused.body.error.details[0].field],
        [422, 'usage.0.scans'],
      );
      for (let count = 0; count < 10; count += 1) {
        assert.equal((await report(world, [{ minute, scans: 1 }])).status, 200);
      }
      const { status, headers } = await report(world, [{ minute, scans: 1 }]);
      assert.equal(status, 429);
      assert.ok(Number(headers.get('retry-after')) <= 60);
      assert.equal((await report(world, [{ minute, scans: 1 }], { instance: 'gw-2' })).status, 200);
      await world.clock.advance(60_000);
      assert.equal((await report(world, [{ minute, scans: 1 }])).status, 200);
    });

    test('editors may report scans, members may not, and a spent request quota does not stop reports', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const minutes = [{ minute: '2026-01-01T00:00:00Z', scans: 1 }];
      const [editor, member] = [await world.createKey('editor'), await world.createKey('member')];
      assert.equal((await report(world, minutes, { token: member })).status, 403);
      const { organizationId } = world.organization;
      const who = { organizationId, memberId: 'mem_1', keyId: 'key_1' };
      const owner = { ...who, role: 'owner', plan: 'free' } as const;
      await world.meter.spend(owner, 'api_requests', 990);
      for (let index = 0; index < 20; index += 1) await world.send('GET', world.path);
      assert.equal((await world.send('GET', world.path)).status, 429);
      assert.equal((await report(world, minutes, { token: editor })).status, 200);
    });
  });
}
