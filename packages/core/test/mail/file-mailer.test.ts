import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Mail, Mailer } from '@probity/core';
import { createLogger } from '@probity/core';
import { createTestClock, temporaryFolder } from '@probity/test-support';
import { createFileMailer } from '../../src/mail/file-mailer.ts';

const LINK = `http://127.0.0.1:3000/a/prefix/invitations/accept?token=pin_${'0123456789'.repeat(4)}`;
const mail: Mail = {
  id: 'inv_1.0123456789ab',
  to: 'bob@acme.example',
  subject: 'Grüße ✓',
  text: `Grüße ✓\n\n${LINK}\n\n.dot\nFrom here\nlast line`,
};

function createMailbox(t: TestContext): { folder: string; mailer: Mailer; log: () => string } {
  const folder = join(temporaryFolder(t).path, 'outbox');
  let logged = '';
  const logger = createLogger({
    level: 'debug',
    write: (line: string) => {
      logged += line;
    },
  });
  const from = 'Acme <probity@acme.example>';
  const mailer = createFileMailer({ folder, from, clock: createTestClock(), logger });
  return { folder, mailer, log: () => logged };
}

test('a mail in a file has its headers, and its text and links unchanged', async (t) => {
  const { folder, mailer } = createMailbox(t);
  await mailer.send(mail);
  const written = readFileSync(join(folder, `${mail.id}.eml`), 'utf8');
  const end = written.indexOf('\n\n');
  const headers = written.slice(0, end).split('\n');
  assert.deepEqual(headers.sort(), [
    'Auto-Submitted: auto-generated',
    'Content-Transfer-Encoding: 8bit',
    'Content-Type: text/plain; charset=utf-8',
    'Date: Thu, 01 Jan 2026 00:00:00 +0000',
    'From: Acme <probity@acme.example>',
    'MIME-Version: 1.0',
    'Message-ID: <inv_1.0123456789ab@acme.example>',
    `Subject: =?UTF-8?B?${Buffer.from(mail.subject).toString('base64')}?=`,
    'To: bob@acme.example',
  ]);
  assert.equal(written.slice(end + 2).trimEnd(), mail.text);
});

test('only the owner can read the file of a mail, and the log has its path alone', async (t) => {
  const { folder, mailer, log } = createMailbox(t);
  await mailer.send(mail);
  const path = join(folder, `${mail.id}.eml`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.ok(log().includes(path), log());
  for (const secret of ['pin_', mail.to, 'last line']) assert.ok(!log().includes(secret), secret);
});

test('a repetition of a mail replaces its file', async (t) => {
  const { folder, mailer } = createMailbox(t);
  await mailer.send({ ...mail, text: 'first' });
  await mailer.send({ ...mail, text: 'second' });
  assert.deepEqual(readdirSync(folder), [`${mail.id}.eml`]);
  assert.match(readFileSync(join(folder, `${mail.id}.eml`), 'utf8'), /\n\nsecond\n?$/);
});

test('an address with line breaks adds no header to the file of a mail', async (t) => {
  const { folder, mailer } = createMailbox(t);
  const to = 'bob@acme.example\r\nBcc: eve@evil.example, mallory@evil.example';
  await mailer.send({ ...mail, to });
  const written = readFileSync(join(folder, `${mail.id}.eml`), 'utf8');
  assert.doesNotMatch(written, /^(?:Bcc|Cc):/m);
});
