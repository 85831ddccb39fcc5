import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { roundsOf } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, serveProcess } from './support.ts';

const CLAIM = 'Refunds are possible within 30 days after the purchase.';
const ROUNDS = roundsOf(4);
const CLIENTS = 4;

interface Acknowledged {
  readonly issued: Set<string>;
  readonly revoked: Set<string>;
}

/** Certifies a text and revokes every second certificate until the server is killed. */
async function certifyUntilKilled(url: string, key: string, { issued, revoked }: Acknowledged) {
  const shield = `${url}/api/v1/shield`;
  try {
    for (let at = 0; ; at += 1) {
      const verification = { content: CLAIM, certify: true };
      const { status, body } = await call(`${shield}/verify`, key, 'POST', verification);
      assert.equal(status, 200, JSON.stringify(body));
      const { id } = body.data.certificate;
      issued.add(id);
      if (at % 2 === 0) continue;
      const path = `${shield}/certificates/${id}/revoke`;
      const answer = await call(path, key, 'POST', { reason: 'Tried' });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      revoked.add(id);
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
}

/** Everything of a list. */
async function all(url: string, key: string) {
  const items = [];
  for (let offset = 0; ; offset += 200) {
    const page = (await call(`${url}limit=200&offset=${offset}`, key)).body;
    items.push(...page.data);
    if (!page.has_more) return items;
  }
}

async function killRepeatedly(t: TestContext, location: string): Promise<void> {
  const { api_key: key } = await bootstrap(location);
  const ledger: Acknowledged = { issued: new Set(), revoked: new Set() };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { url, program } = await serveProcess(t, location);
    const nugget = { claim: CLAIM, source_url: 'https://acme.example/terms' };
    await call(`${url}/api/v1/knowledge/nuggets`, key, 'POST', nugget);
    const enough = ledger.revoked.size + 5;
    const clients = Array.from({ length: CLIENTS }, () => certifyUntilKilled(url, key, ledger));
    while (ledger.revoked.size < enough) await delay(1);
    await program.kill9();
    await Promise.all(clients);
  }
  const { url } = await serveProcess(t, location);
  const certificates = await all(`${url}/api/v1/shield/certificates?`, key);
  const stateOf = new Map(certificates.map(({ id, state }) => [id, state]));
  for (const id of ledger.issued) assert.ok(stateOf.has(id), `${id} was lost`);
  for (const id of ledger.revoked) assert.equal(stateOf.get(id), 'revoked');
  const events = await all(`${url}/api/v1/events?`, key);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const revoked = certificates.filter(({ state }) => state === 'revoked');
  assert.equal(count('certification.issued'), certificates.length);
  assert.equal(count('certification.revoked'), revoked.length);
  const keys = (await call(`${url}/.well-known/jwks.json`, null)).body.keys;
  assert.equal(keys.length, 1);
  t.diagnostic(`${ledger.issued.size} issued, ${ledger.revoked.size} revoked, ${ROUNDS} kills`);
}

describe('certificates across kill -9', () => {
  for (const database of emptyDatabases) {
    it(`no certificate, revocation or event of one is lost or doubled on ${database.name}`, async (t) => {
      await killRepeatedly(t, await database.create(t, 'disk'));
    });
  }
});
