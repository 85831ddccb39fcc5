import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { sendAround } from './held-request.ts';
import type { RecipeWorld } from './post-recipes.ts';
import { activeMember, ownPath, PASSWORD, succeed } from './post-recipes.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

type Change = readonly [method: string, path: string, body?: unknown];

// Keys and sessions that end meanwhile are tried with every operation, in repeated-calls.test.ts.
describe('a member whose request is open', () => {
  for (const database of sampleTargets(emptyDatabases)) {
    it(`${database.name}: a member who is demoted, suspended, signed out or removed before the body has arrived is refused`, async (t) => {
      const location = await database.create(t);
      const inbox = await startSmtpPeer(t);
      const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
      const owner = await bootstrap(location);
      const { url } = await serve(t, location, { env });
      const organizationId = owner.organization_id;
      const world: RecipeWorld = { url, organizationId, key: owner.api_key, inbox };
      const { id, email } = await activeMember(world);
      const member = ownPath(world, `/members/${id}`);
      const signIn = async () => {
        const answer = await succeed(world, '/v1/auth/login', { email, password: PASSWORD });
        return answer.access_token ?? '';
      };
      const change = async ([method, path, body]: Change) => {
        const answer = await call(url + path, world.key, method, body);
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
      };
      const assertRefused = async (key: string, meanwhile: () => Promise<void>, status: number) => {
        const body = { url: 'https://8.8.8.8/hook', events: ['alert.created'] };
        const held = { method: 'POST', url: `${url}/api/v1/webhooks`, key, body };
        assert.equal(await sendAround(held, meanwhile), status);
      };
      await change(['PATCH', member, { role: 'admin' }]);
      const key = await signIn();
      await assertRefused(key, () => change(['PATCH', member, { role: 'viewer' }]), 403);
      await change(['PATCH', member, { role: 'admin' }]);
      await assertRefused(key, () => change(['POST', `${member}/suspend`]), 401);
      await change(['POST', `${member}/reactivate`]);
      const again = await signIn();
      const sessions = `${url}/v1/auth/sessions`;
      const signOut = async () => {
        const { body } = await call(sessions, again);
        const current = body.sessions.find((each: { is_current: boolean }) => each.is_current);
        assert.equal((await call(`${sessions}/${current.id}`, again, 'DELETE')).status, 204);
      };
      await assertRefused(again, signOut, 401);
      await assertRefused(await signIn(), () => change(['DELETE', member]), 401);
      const { body } = await call(`${url}/api/v1/webhooks`, world.key);
      assert.equal(body.total, 0);
    });
  }
});
