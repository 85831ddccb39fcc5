import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { temporaryFolder, testCertificate } from '@probity/test-support';
import { trustedAuthorities } from '../../src/outbound/authorities.ts';

test('own authorities are trusted in addition to those of NODE_EXTRA_CA_CERTS', async (t) => {
  const { authority } = await testCertificate();
  const file = join(temporaryFolder(t).path, 'extra.pem');
  const [first = ''] = rootCertificates;
  writeFileSync(file, `# A bundle\r\n${first.replaceAll('\n', '\r\n')}\r\n${authority}\n`);
  const trusted = trustedAuthorities(['own'], file);
  assert.deepEqual(trusted, [...rootCertificates, authority.trim(), 'own']);
});

test('an unreadable file of NODE_EXTRA_CA_CERTS is ignored', () => {
  for (const file of [undefined, '', '/nonexistent/extra.pem']) {
    assert.deepEqual(trustedAuthorities(['own'], file), [...rootCertificates, 'own']);
  }
});
