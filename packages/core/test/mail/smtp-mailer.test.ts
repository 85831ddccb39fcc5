import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { createSmtpMailer } from '../../src/mail/smtp-mailer.ts';

const mail = {
  id: 'inv_1.0123456789ab',
  to: 'bob@acme.example',
  subject: 'Grüße ✓',
  text: 'First line\n.dot\nlast line\n',
};

test('a mail arrives unchanged by SMTP, and a repetition has the same Message-ID', async (t) => {
  const peer = await startSmtpPeer(t);
  const mailer = createSmtpMailer({ url: peer.url, from: 'Acme <probity@acme.example>' });
  await mailer.send(mail);
  await mailer.send(mail);
  assert.equal(peer.mails.length, 2);
  for (const { from, to, data } of peer.mails) {
    assert.deepEqual([from, to], ['probity@acme.example', ['bob@acme.example']]);
    assert.match(data, /^Message-ID: <inv_1\.0123456789ab@acme\.example>$/m);
    assert.match(data, /^Auto-Submitted: auto-generated$/m);
    assert.match(data, /\n\nFirst line\n\.dot\nlast line$/);
  }
});

test('a mail that the server refuses rejects, and the next attempt is independent', async (t) => {
  const peer = await startSmtpPeer(t);
  const mailer = createSmtpMailer({ url: peer.url, from: 'probity@acme.example' });
  for (const code of [451, 550]) {
    peer.refuseNext(code);
    await assert.rejects(mailer.send(mail), new RegExp(`${code} not now`));
  }
  await mailer.send(mail);
  assert.equal(peer.mails.length, 1);
});

test('sending to a mail server that does not exist rejects', async () => {
  const mailer = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'probity@acme.example' });
  await assert.rejects(mailer.send(mail), /ECONNREFUSED/);
});

test('a mail address is one recipient whatever it contains', async (t) => {
  const peer = await startSmtpPeer(t);
  const mailer = createSmtpMailer({ url: peer.url, from: 'probity@acme.example' });
  const hostile = 'bob@acme.example\r\nBcc: eve@evil.example, mallory@evil.example';
  await mailer.send({ ...mail, to: hostile });
  const [received] = peer.mails;
  assert.equal(received?.to.length, 1);
  assert.doesNotMatch(received?.data ?? '', /^(?:Bcc|Cc):/m);
});
