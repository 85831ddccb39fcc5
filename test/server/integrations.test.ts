import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MICROSOFT_CHANNEL,
  MICROSOFT_CLIENT,
  SERVICE_NOW_CLIENT,
  startMicrosoftPeer,
  startServiceNowPeer,
  until,
} from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, scanLeak, serveProcess } from './support.ts';

for (const database of sampleTargets(emptyDatabases)) {
  describe(`alerts in other systems on ${database.name}`, { concurrency: 2 }, () => {
    it('a blocked leak becomes one incident and a message, also when the process is killed before it knows', async (t) => {
      const serviceNow = await startServiceNowPeer(t);
      const microsoft = await startMicrosoftPeer(t);
      const location = await database.create(t, 'disk');
      const { api_key: key, organization_id: id } = await bootstrap(location);
      const env = {
        PROBITY_INTEGRATIONS_EGRESS_ALLOW: '127.0.0.1/32',
        PROBITY_MICROSOFT_AUTHORITY_URL: microsoft.authorityUrl,
        PROBITY_MICROSOFT_GRAPH_URL: microsoft.graphUrl,
      };
      const { receiver } = serviceNow;
      const first = await serveProcess(t, location, { receiver, env });
      const integrations = `${first.url}/api/v1/integrations`;
      const itsm = { instance_url: serviceNow.url, ...SERVICE_NOW_CLIENT };
      const severities = ['medium', 'high', 'critical'];
      for (const [type, setup, place] of [
        ['itsm', itsm, {}],
        ['chatops', MICROSOFT_CLIENT, MICROSOFT_CHANNEL],
      ] as const) {
        const connected = await call(`${integrations}/${type}`, key, 'POST', setup);
        assert.equal(connected.status, 201, JSON.stringify(connected.body));
        const routing = { severities, ...place };
        const path = `${integrations}/${connected.body.data.id}`;
        assert.equal((await call(path, key, 'PATCH', { routing })).status, 200);
      }
      serviceNow.failNext('create', 'hang_after');
      await scanLeak(first.url, key);
      await until(async () => serviceNow.incidents.length === 1, 'the incident is stored');
      await first.program.kill9();
      const second = await serveProcess(t, location, { receiver, env });
      const log = `${second.url}/v1/organizations/${id}/audit-log?action=alert.routed`;
      const routed = async () => (await call(log, key)).body;
      await until(async () => (await routed()).total === 2, 'both are on the audit log');
      assert.deepEqual(
        [serviceNow.incidents.length, serviceNow.count('create')],
        [1, 1],
        'the incident of the killed process is found',
      );
      const alerts = await call(`${second.url}/api/v1/alerts`, key);
      const [alert] = alerts.body.data;
      assert.equal(serviceNow.incidents[0]?.correlation_id, `probity-${alert.id}`);
      assert.ok(JSON.stringify(microsoft.messages[0]?.card).includes(alert.id));
      assert.deepEqual([...serviceNow.faults, ...microsoft.faults], []);
      assert.equal(await second.program.terminate(), 0);
    });
  });
}
