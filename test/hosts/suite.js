import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startHost } from './host-process.js';

const LEAK = { response: 'Her SSN is 536-22-8145.' };
const HARMLESS = { response: 'The office opens at nine.' };
const LOGIN = { cookie: 'theme=dark; session=ann-session' };
/** Limits a hang only: the first answer loads everything, beside other work. */
const ANSWER_MS = 60_000;
const LOG_MS = 60_000;

/**
 * @typedef {object} HostTraits
 * @property {string} set The folder that it is installed in.
 * @property {readonly string[]} args Its program.
 * @property {Record<string, string>} [env]
 * @property {boolean} [parsesFirst] Whether its body parser cannot be left out.
 * @property {boolean} [hasParser] Whether it reads bodies as `x-parser` says; default true.
 * @property {boolean} [passesOn] Whether unknown paths below the mount reach it; default true.
 * @property {boolean} [stopsItself] Whether it ends by itself after stop(); default true.
 */

/** @param {string} name @param {HostTraits} traits */
export function describeHost(name, traits) {
  describe(`in ${name}`, () => {
    /** @type {import('./host-process.js').Host} */
    let host;
    before(async () => {
      host = await startHost(traits);
    });
    after(() => host?.stop());

    const send = (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) =>
      fetch(host.origin + path, {
        ...init,
        headers: { ...LOGIN, ...init.headers },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
    const post = (
      /** @type {string} */ path,
      /** @type {unknown} */ body,
      /** @type {Record<string, string>} */ headers = {},
    ) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const hasParser = traits.hasParser !== false;
    const parsers = [...(hasParser ? ['host'] : []), ...(traits.parsesFirst ? [] : ['none'])];

    for (const parser of parsers) {
      const headers = { 'x-parser': parser };
      const when = parser === 'host' ? "after the host's body parser" : 'without a body parser';

      test(`a leak is blocked ${when}`, async () => {
        const answer = await post('/probity/governance/scan', LEAK, headers);
        assert.equal(answer.status, 403, await answer.clone().text());
        assert.equal((await answer.json()).error.code, 'PII_DETECTED');
      });

      test(`a harmless text passes ${when}`, async () => {
        const answer = await post('/probity/governance/scan', HARMLESS, headers);
        assert.equal(answer.status, 200, await answer.text());
      });

      test(`a body of 1 MB is read ${when}`, async () => {
        const response = 'The office opens at nine.\n'.repeat(37_000);
        const answer = await post('/probity/webhooks', { url: response }, headers);
        assert.equal(answer.status, 422, (await answer.text()).slice(0, 300));
      });
    }

    test('broken JSON is answered with 400', async () => {
      const parser = traits.parsesFirst ? 'host' : 'none';
      const answer = await post('/probity/governance/scan', '{"response": ', {
        'x-parser': parser,
      });
      assert.equal(answer.status, 400);
      if (parser === 'none') assert.equal((await answer.json()).error.code, 'INVALID_REQUEST');
    });

    if (hasParser) {
      test('a body that was read and is kept nowhere is answered with 500 at once', async () => {
        const headers = { 'x-parser': 'drain' };
        const answer = await post('/probity/governance/scan', LEAK, headers);
        assert.equal(answer.status, 500);
        await until(() => host.errors().includes('A body parser has read the request'));
      });
    }

    test('a request without login is answered with 401', async () => {
      const answer = await post('/probity/governance/scan', LEAK, { cookie: '' });
      assert.equal(answer.status, 401);
    });

    test('a webhook is registered', async () => {
      const webhook = { url: 'https://hooks.example.com/probity', events: ['alert.created'] };
      const answer = await post('/probity/webhooks', webhook);
      assert.equal(answer.status, 201, await answer.text());
    });

    test('the OpenAPI document is served', async () => {
      const answer = await send('/probity/openapi.json');
      assert.equal(answer.status, 200);
      assert.ok((await answer.json()).paths['/governance/scan']);
    });

    test('a method that a path lacks is answered with 405 and Allow', async () => {
      const answer = await send('/probity/governance/scan', { method: 'DELETE' });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'POST');
    });

    test('a page of the host below the mount is served', async () => {
      const answer = await send('/probity/own-page');
      assert.equal(await answer.text(), 'A page of the host.');
    });

    test('an unknown path below the mount is answered with 404', async () => {
      const answer = await send('/probity/nothing');
      assert.equal(answer.status, 404);
      const isOurs = (await answer.text()).includes('There is nothing at');
      assert.equal(isOurs, traits.passesOn === false);
    });

    test('the process ends after stop()', async () => {
      const code = await host.stop();
      if (traits.stopsItself !== false) assert.equal(code, 0, host.errors());
    });
  });
}

/** Waits for a line that the host writes after its answer. */
async function until(/** @type {() => boolean} */ holds) {
  const deadline = Date.now() + LOG_MS;
  while (!holds()) {
    assert.ok(Date.now() < deadline, 'the cause is not in the log');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
