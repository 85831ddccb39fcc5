import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENT_TYPES } from '@probity/core';
import type { ReceivedRequest } from '@probity/test-support';
import { startHttpsReceiver } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { call, emptyDatabases, runBootstrap, scanLeak, serveProcess } from './support.ts';

const CLAIM = 'Refunds are possible within 30 days after the purchase.';
const CORRECTED = 'Refunds are possible within 14 days after the purchase.';
const TERMS = 'https://acme.example/terms';

function eventOf(request: ReceivedRequest) {
  return JSON.parse(request.rawBody.toString());
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: the events of the service`, () => {
    it('every type of event is delivered from its real cause, with the data of the contract', async (t) => {
      const receiver = await startHttpsReceiver({ test: t });
      const location = await database.create(t);
      const { api_key: key, owner_id: owner } = await runBootstrap(t, location);
      const { url } = await serveProcess(t, location, { receiver });
      const send = async (path: string, body: unknown) => {
        const answer = await call(`${url}/api/v1${path}`, key, 'POST', body);
        assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
        return answer.body.data;
      };
      const types = [...EVENT_TYPES].sort();
      assert.equal(types.length, 7);
      await send('/webhooks', { url: `${receiver.url}/hook`, events: types });

      const blocked = await scanLeak(url, key);
      const { scan_id: scanId, policy_id: policyId } = blocked.body.governance;
      const alerts = await call(`${url}/api/v1/alerts?scanId=${scanId}`, key);
      const [alert] = alerts.body.data;
      await send(`/alerts/${alert.id}/resolve`, { resolution: 'A test number.' });
      const nugget = await send('/knowledge/nuggets', { claim: CLAIM, source_url: TERMS });
      const { certificate } = await send('/shield/verify', { content: CLAIM, certify: true });
      await send(`/shield/certificates/${certificate.id}/revoke`, { reason: 'Terms changed.' });
      const correction = await send('/knowledge/corrections', {
        nuggetId: nugget.id,
        claim: CLAIM,
        correction: CORRECTED,
        source_url: TERMS,
      });
      const batch = await send('/governance/scans', { items: [{ response: 'Paris.' }] });

      const delivered = new Map<string, Record<string, unknown>>();
      for (const type of types) {
        const request = await receiver.waitFor((each) => eventOf(each).type === type);
        delivered.set(type, eventOf(request).data);
      }
      const { severity, type, message } = alert;
      const { violation_reason: violationReason } = blocked.body.governance;
      const { id: certificationId, contentHash, issuedAt, expiresAt } = certificate;
      assert.deepEqual(Object.fromEntries(delivered), {
        'alert.created': { alertId: alert.id, severity, type, message },
        'alert.resolved': { alertId: alert.id, resolution: 'A test number.', resolvedBy: owner },
        'policy.violated': { policyId, scanId, action: 'block', violationReason },
        'correction.deployed': {
          ...{ id: correction.id, claim: CLAIM, correction: CORRECTED, sourceUrl: TERMS },
        },
        'certification.issued': { certificationId, contentHash, issuedAt, expiresAt },
        'certification.revoked': { certificationId, reason: 'Terms changed.' },
        'scan.completed': {
          ...{ scanId: batch.id, total: 1, allowed: 1, flagged: 0, blocked: 0, errors: 0 },
        },
      });
      assert.equal(receiver.requests.length, types.length);
    });
  });
}
