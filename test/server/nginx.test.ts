import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { test } from 'node:test';
import { nginxMissing, startNginx } from '@probity/test-support';
import { bootstrap, emptyDatabases, serve } from './support.ts';

const SITE = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');
const LONG = 'The Seine flows through Paris and ends in the Channel. '.repeat(40);

test('deploy/nginx.conf passes a stream on while it arrives', {
  skip: nginxMissing(),
}, async (t) => {
  const [{ create }] = emptyDatabases as [(typeof emptyDatabases)[number]];
  const location = await create(t);
  const { api_key: key } = await bootstrap(location);
  const { url } = await serve(t, location);
  const proxy = await startNginx(SITE, new URL(url), t);
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(
      `${proxy.url}/api/v1/governance/scan/stream`,
      {
        method: 'POST',
        ca: proxy.authority,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
          // The request ends only after a part of its response has come back.
          if (body.includes('event: release') && !sent.writableEnded) sent.end();
        });
        response.on('end', () => resolve(body));
      },
    );
    sent.on('error', reject);
    sent.write(`{}\n${JSON.stringify({ text: LONG })}\n`);
  });
  assert.match(text, /^event: final$/m);
});
