import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  acquireRedis,
  createTestDatabase,
  redisMissing,
  startHttpsReceiver,
  temporaryFolder,
  until,
} from '@probity/test-support';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  bootstrap,
  call,
  createWebhook,
  emptyDatabases,
  scanLeak,
  serve,
  serveProcess,
  spawnServer,
} from './support.ts';

const [sqlite, postgres] = emptyDatabases as [
  (typeof emptyDatabases)[number],
  (typeof emptyDatabases)[number],
];

describe('probity-server serve', { concurrency: 2 }, () => {
  it('a server logs JSON Lines only, and no secret', async (t) => {
    const receiver = await startHttpsReceiver({ test: t });
    const location = await sqlite.create(t);
    const { api_key: key } = await bootstrap(location);
    const { program, url } = await serveProcess(t, location, {
      receiver,
      env: { PROBITY_LOG_LEVEL: 'debug' },
    });
    const { secret } = await createWebhook(url, key, receiver);
    await scanLeak(url, key);
    await call(`${url}/v1/organizations?key=${key}`, key);
    await program.terminate();
    const lines = program.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) assert.ok(line.timestamp && line.level && line.message);
    for (const text of [key, secret, '536-22-8145']) {
      assert.ok(!(program.stdout + program.stderr).includes(text), `${text} was logged`);
    }
  });

  it('a server has read the weights of its scanners when it accepts requests', async (t) => {
    const hook = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { readFileSync } = fs;
      fs.readFileSync = (path, ...rest) => {
        if (String(path).endsWith('.bin')) process.stderr.write('read ' + path + '\\n');
        return readFileSync(path, ...rest);
      };
      syncBuiltinESMExports();`;
    const location = await sqlite.create(t);
    const { api_key: key } = await bootstrap(location);
    const { program, url } = await serveProcess(t, location, {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    const count = () => program.stderr.split('read ').length - 1;
    const before = count();
    for (const name of ['injection', 'injection-place', 'toxicity', 'hallucination', 'words']) {
      assert.ok(program.stderr.includes(`/${name}.bin`), name);
    }
    await scanLeak(url, key);
    assert.equal(count(), before);
  });

  it('a server stores no secret and no scanned text in the database', async (t) => {
    const receiver = await startHttpsReceiver({ test: t });
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${join(folder, 'probity.db')}`;
    const made = await bootstrap(location);
    const { url, program } = await serveProcess(t, location, { receiver });
    const { secret } = await createWebhook(url, made.api_key, receiver);
    await scanLeak(url, made.api_key);
    await receiver.waitFor(() => true);
    await program.kill9();
    const files = readdirSync(folder).filter((name) => name.startsWith('probity.db'));
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
    for (const text of [made.api_key, made.scim_token, secret, '536-22-8145', '4539 1488']) {
      assert.equal(bytes.includes(text), false, `${text} is in the database files`);
    }
  });

  it('a server prints its greeting once, on the first start, and not on standard output', async (t) => {
    const location = await sqlite.create(t);
    const first = await serveProcess(t, location);
    const greeting = /owner API key +(pbk_\w+)/;
    // Standard output may be read first.
    await until(() => greeting.test(first.program.stderr), 'the greeting is read');
    const key = greeting.exec(first.program.stderr)?.[1];
    assert.ok(key);
    assert.match(first.program.stderr, /SCIM token +psc_\w+/);
    assert.match(first.program.stderr, /organization +org_\w+/);
    assert.equal((await call(`${first.url}/v1/organizations`, key)).status, 200);
    await first.program.terminate();
    const second = await serve(t, location);
    await second.program.terminate();
    assert.equal(second.program.stderr, '');
    assert.ok(!first.program.stdout.includes(key));
  });

  it('a server creates its encryption key beside the database, readable by its owner only', async (t) => {
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${join(folder, 'new', 'probity.db')}`;
    const env = { PROBITY_ENCRYPTION_KEY: undefined };
    await Promise.all([serveProcess(t, location, { env }), serveProcess(t, location, { env })]);
    const path = join(folder, 'new', 'probity.db.key');
    for (const file of [path, join(folder, 'new', 'probity.db')]) {
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
    }
    assert.equal(Buffer.from(readFileSync(path, 'utf8'), 'base64').length, 32);
    const leftOver = readdirSync(join(folder, 'new')).filter((name) => /\.key\./.test(name));
    assert.deepEqual(leftOver, []);
  });

  it('metrics are bound to loopback, wherever requests are served, unless told otherwise', async (t) => {
    const boundTo = async (env: Record<string, string>) => {
      const location = await sqlite.create(t);
      const outer = { PROBITY_HOST: '0.0.0.0', PROBITY_METRICS_PORT: '0', ...env };
      const { program } = await serve(t, location, { env: outer });
      const line = await program.waitForLine(({ message }) => message === 'metrics listening');
      await program.terminate();
      return new URL(String(line.url)).hostname;
    };
    assert.equal(await boundTo({}), '127.0.0.1');
    assert.equal(await boundTo({ PROBITY_METRICS_HOST: '0.0.0.0' }), '0.0.0.0');
  });

  it('a server answers health, readiness, status and metrics', async (t) => {
    const location = await sqlite.create(t);
    const { url, program } = await serveProcess(t, location, {
      env: { PROBITY_METRICS_PORT: '0' },
    });
    const health = await call(`${url}/health`, null);
    assert.deepEqual([health.status, health.body.status], [200, 'ok']);
    assert.deepEqual(health.body.checks, { database: 'ok' });
    const ready = await call(`${url}/ready`, null);
    assert.deepEqual(ready.body, { ready: true, checks: { database: 'connected' } });
    const status = await call(`${url}/api/status`, null);
    assert.deepEqual(status.body.data, {
      apiVersion: '1.0.0',
      status: 'operational',
      lastMaintenance: null,
    });
    assert.equal(status.headers.get('server'), 'Probity-API/v1');
    const line = await program.waitForLine(({ message }) => message === 'metrics listening');
    const metrics = await (await fetch(String(line.url))).text();
    assert.match(
      metrics,
      /probity_http_requests_total\{method="GET",path="\/health",status="200"\} 1/,
    );
    for (const queue of ['outbox', 'webhooks.deliver', 'mail.send', 'retention']) {
      assert.match(metrics, new RegExp(`probity_jobs_failed\\{queue="${queue}"\\} 0`));
      assert.match(
        metrics,
        new RegExp(`probity_jobs_oldest_age_seconds\\{queue="${queue}"\\} [\\d.]+`),
      );
    }
    assert.match(metrics, /probity_jobs_pending\{queue="outbox"\} 0/);
  });

  it('the roles api and worker separate requests from background work', async (t) => {
    const receiver = await startHttpsReceiver({ test: t });
    const location = await postgres.create(t);
    const { api_key: key } = await bootstrap(location);
    const api = await serveProcess(t, location, { receiver, args: ['--role', 'api'] });
    await createWebhook(api.url, key, receiver);
    await scanLeak(api.url, key);
    await delay(1_500);
    assert.equal(receiver.requests.length, 0, 'a process for requests worked in the background');
    const worker = await spawnServer(t, ['serve', '--role', 'worker', '--database', location], {
      PROBITY_WEBHOOKS_EGRESS_ALLOW: `127.0.0.1/32:${receiver.port}`,
      NODE_EXTRA_CA_CERTS: receiver.certificateFile(),
      PROBITY_METRICS_PORT: '0',
    });
    await receiver.waitFor((_, all) => all.length === 2);
    const isOfMetrics = ({ message }: { message?: unknown }) => message === 'metrics listening';
    const { url } = await worker.waitForLine(isOfMetrics);
    const statuses = [];
    for (const path of ['/metrics', '/health', '/ready', '/v1/roles', '/api/v1/alerts', '/']) {
      const headers = { Authorization: `Bearer ${key}` };
      statuses.push((await fetch(new URL(path, String(url)), { headers })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 404, 404, 404]);
    assert.doesNotMatch(worker.stdout, /"message":"listening"/);
    assert.equal(await worker.terminate(), 0);
    assert.equal(await api.program.terminate(), 0);
  });

  it('a server without its database is neither healthy nor ready, and keeps running', async (t) => {
    const { url: location, drop } = await createTestDatabase();
    t.after(drop);
    const { url, program } = await serveProcess(t, location);
    assert.equal((await call(`${url}/ready`, null)).status, 200);
    await drop();
    const ready = await call(`${url}/ready`, null);
    const answer = { ready: false, checks: { database: 'disconnected' } };
    assert.deepEqual([ready.status, ready.body], [503, answer]);
    const health = await call(`${url}/health`, null);
    assert.deepEqual([health.status, health.body.status], [503, 'degraded']);
    assert.equal((await call(`${url}/api/status`, null)).body.data.status, 'degraded');
    assert.equal(await program.terminate(), 0);
  });

  it('probity-server with the role worker keeps running without a port for requests', async (t) => {
    const args = ['serve', '--role', 'worker', '--database', await sqlite.create(t)];
    const worker = await spawnServer(t, args);
    await worker.waitForLine(({ message }) => message === 'retention was applied');
    const ended = await Promise.race([worker.exited, delay(1_000, 'running')]);
    assert.equal(ended, 'running');
    assert.equal(await worker.terminate(), 0);
  });

  it('a server serves a valid OpenAPI 3.1 document', async (t) => {
    const { url } = await serve(t, await sqlite.create(t));
    const { body: document } = await call(`${url}/openapi.json`, null);
    assert.equal(document.openapi, '3.1.0');
    assert.deepEqual(document.servers, [{ url }]);
    const result = await new Validator().validate(document);
    assert.ok(result.valid, JSON.stringify(result, null, 2));
    for (const path of ['/v1/organizations', '/api/v1/governance/scan', '/api/v1/webhooks']) {
      assert.ok(document.paths[path], `${path} is missing`);
    }
  });

  it('a server answers unknown paths in the error format of their API', async (t) => {
    const { url } = await serve(t, await sqlite.create(t));
    const platform = await call(`${url}/v1/nothing`, null);
    assert.deepEqual([platform.status, platform.body.error], [404, 'not_found']);
    const general = await call(`${url}/api/v1/nothing`, null);
    assert.deepEqual([general.status, general.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
    const scim = await call(`${url}/scim/v2/nothing`, null);
    assert.deepEqual([scim.status, scim.body.status], [404, '404']);
    for (const { headers } of [platform, general, scim]) {
      assert.equal(headers.get('server'), 'Probity-API/v1');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.ok(headers.get('x-request-id'));
      assert.equal(headers.get('x-powered-by'), null);
    }
  });

  it('instances on one Redis share rate limits', { skip: redisMissing() }, async (t) => {
    const { url: redis } = await acquireRedis();
    const location = await sqlite.create(t);
    await bootstrap(location);
    const env = { PROBITY_REDIS_URL: redis, PROBITY_RATE_LIMITS: 'platform=10/3600' };
    const servers = await Promise.all([serve(t, location, { env }), serve(t, location, { env })]);
    const expected = [...Array(10).fill(200), 429, 429, 429, 429];
    let statuses: number[] = [];
    // A late answer of Redis on a busy machine counts as an outage: repeat with a new key.
    for (let round = 0; round < 10 && String(statuses) !== String(expected); round += 1) {
      statuses = [];
      const { api_key: key } = await bootstrap(location);
      for (let index = 0; index < 14; index += 1) {
        const { url } = servers[index % 2] as (typeof servers)[number];
        statuses.push((await call(`${url}/v1/roles`, key)).status);
      }
    }
    assert.deepEqual(statuses, expected);
  });
});
