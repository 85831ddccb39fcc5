import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '@probity/standalone';
import {
  decodeMailText,
  startHttpsReceiver,
  startSmtpPeer,
  temporaryFolder,
} from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { Answer, RunningServer } from './support.ts';
import {
  bootstrap,
  call,
  createWebhook,
  emptyDatabases,
  scanLeak,
  serve,
  serveProcess,
} from './support.ts';

const LINK = /^(http\S+)\/invitations\/accept\?token=(pin_\w{38})$/m;

/** Adds Bob as a viewer; returns the URL of the organization. */
async function inviteBob(
  { url }: RunningServer,
  { organization_id, api_key }: { organization_id: string; api_key: string },
): Promise<string> {
  const organization = `${url}/v1/organizations/${organization_id}`;
  const body = { email: 'bob@acme.example', name: 'Bob', role: 'viewer' };
  const { status } = await call(`${organization}/members`, api_key, 'POST', body);
  assert.equal(status, 201);
  return organization;
}

function accept(url: string, token: string | undefined): Promise<Answer> {
  return call(`${url}/v1/invitations/accept`, null, 'POST', { token });
}

test('without a mail server invitations are written to files readable by their owner only', async (t) => {
  const folder = temporaryFolder(t).path;
  const database = `sqlite:${folder}/probity.db`;
  const organization = await bootstrap(database);
  const server = await serve(t, database);
  await inviteBob(server, organization);
  const line = await server.program.waitForLine(
    ({ message }) => message === 'a mail was written to a file',
  );
  const path = String(line.path);
  assert.equal(dirname(path), join(folder, 'outbox'));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(path)).length, 1);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^To: bob@acme\.example\nSubject: Invitation to Probity$/m);
  const [, base, token = ''] = LINK.exec(text) ?? [];
  assert.equal(base, server.url);
  const { status, body } = await accept(server.url, token);
  assert.deepEqual([status, body.status], [200, 'active']);
  assert.ok(!server.program.stdout.includes(token.slice(4)), 'the token was logged');
});

test('an invitation not yet mailed when the process is killed is mailed by the next process', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const organization = await bootstrap(database);
  const api = await serveProcess(t, database, { args: ['--role', 'api'] });
  await inviteBob(api, organization);
  await api.program.kill9();
  const { program } = await serve(t, database);
  const line = await program.waitForLine(
    ({ message }) => message === 'a mail was written to a file',
  );
  assert.match(readFileSync(String(line.path), 'utf8'), LINK);
});

for (const database of sampleTargets(emptyDatabases)) {
  test(`${database.name}: an invitation arrives by SMTP, and its token is nowhere else`, async (t) => {
    const peer = await startSmtpPeer(t);
    const location = await database.create(t);
    const organization = await bootstrap(location);
    const server = await serve(t, location, {
      env: {
        PROBITY_SMTP_URL: peer.url,
        PROBITY_MAIL_FROM: 'Acme Probity <probity@acme.example>',
        PROBITY_PUBLIC_URL: 'https://probity.acme.example',
      },
    });
    await inviteBob(server, organization);
    const mail = await peer.mail(0);
    assert.deepEqual([mail.from, mail.to], ['probity@acme.example', ['bob@acme.example']]);
    assert.match(mail.data, /^From: Acme Probity <probity@acme\.example>$/m);
    assert.match(mail.data, /^Subject: Invitation to Probity$/m);
    assert.match(mail.data, /^Message-ID: <inv_\w+\.[0-9a-f]{12}@acme\.example>$/m);
    const [, base, token = ''] = LINK.exec(decodeMailText(mail.data)) ?? [];
    assert.equal(base, 'https://probity.acme.example');
    assert.match(mail.data, new RegExp(`^${token}$`, 'm'));
    const { status, body } = await accept(server.url, token);
    assert.deepEqual([status, body.status], [200, 'active']);
    assert.equal(await server.program.terminate(), 0);
    assert.ok(!server.program.stdout.includes(token.slice(4)), 'the token was logged');
    if (!location.startsWith('sqlite:')) return;
    const folder = dirname(location.slice('sqlite:'.length));
    assert.ok(!existsSync(join(folder, 'outbox')));
    for (const file of readdirSync(folder)) {
      const stored = readFileSync(join(folder, file), 'latin1');
      assert.ok(!stored.includes(token.slice(4)), `the token is in ${file}`);
    }
  });
}

test('mail settings are checked at startup, without printing the password', () => {
  const read = (env: Record<string, string>) => readConfig({}, env);
  const { smtpUrl, mailFrom } = read({});
  assert.deepEqual([smtpUrl, mailFrom], [null, null]);
  for (const from of ['probity@acme.example', 'Acme <probity@acme.example>']) {
    assert.equal(read({ PROBITY_MAIL_FROM: from }).mailFrom, from);
  }
  for (const from of ['acme', 'a@b.example, c@d.example', 'A\nB <a@b.example>', '<a@b.example']) {
    assert.throws(() => read({ PROBITY_MAIL_FROM: from }), /^\w+: PROBITY_MAIL_FROM: must be/);
  }
  for (const url of ['smtp://u:p@mail.example:587', 'smtps://mail.example']) {
    assert.equal(read({ PROBITY_SMTP_URL: url }).smtpUrl, url);
  }
  for (const url of ['mail.example', 'http://mail.example', 'smtp://']) {
    assert.throws(() => read({ PROBITY_SMTP_URL: url }), /PROBITY_SMTP_URL: must be/);
  }
  assert.throws(
    () => read({ PROBITY_SMTP_URL: 'stmp://u:hunter2@mail.example' }),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

const DISABLED_AT_ONCE = {
  delaysMs: [10],
  maxAttempts: 2,
  disableAfterFailures: 2,
  maxAgeMs: 60_000,
};

test('the owners are mailed once that a webhook was disabled', async (t) => {
  const folder = temporaryFolder(t).path;
  const retry = join(folder, 'retry.json');
  writeFileSync(retry, JSON.stringify(DISABLED_AT_ONCE));
  const database = `sqlite:${folder}/probity.db`;
  const { api_key: key } = await bootstrap(database);
  const receiver = await startHttpsReceiver({ test: t, handler: () => ({ status: 500 }) });
  const env = { PROBITY_WEBHOOKS_RETRY: retry };
  const { url, program } = await serveProcess(t, database, { env, receiver });
  const { id } = await createWebhook(url, key, receiver);
  await scanLeak(url, key);
  const line = await program.waitForLine(
    ({ message }) => message === 'a mail was written to a file',
  );
  const mail = readFileSync(String(line.path), 'utf8');
  assert.match(mail, /^To: ann@acme\.example\nSubject: A webhook was disabled$/m);
  assert.match(mail, new RegExp(`^Address: ${receiver.url}`, 'm'));
  assert.match(mail, new RegExp(`^PATCH /api/v1/webhooks/${id} `, 'm'));
  assert.match(mail, /^Reason: 2 attempts to deliver evt_\w+ failed; .* 500\.$/m);
  assert.match(mail, /as an owner of "Acme"/);
  assert.equal(await program.terminate(), 0);
  assert.equal(readdirSync(join(folder, 'outbox')).length, 1);
});
