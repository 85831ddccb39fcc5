import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryFolder } from '../src/temporary-folder.ts';
import { repository } from './script-repository.ts';

interface Provider {
  provideOscalSchema(
    files: readonly string[],
    source: { readonly url: string; readonly folder: string; readonly given: string },
  ): Promise<Record<string, string>>;
}

/** The provider, in an environment that names no schema. */
async function load() {
  const path = join(repository, 'scripts/support/oscal-schema.mjs');
  const { provideOscalSchema }: Provider = await import(path);
  return (files: readonly string[], url: string, folder: string) =>
    provideOscalSchema(files, { url, folder, given: '' });
}

/** An address that answers every request with a text. */
async function serveText(t: TestContext, text: string): Promise<string> {
  const server = createServer((_, response) => void response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
}

const FILES = ['/packages/evidence/dist/test/oscal/http.test.js'];

test('the published schema of OSCAL is fetched once, and only for the tests that want it', async (t) => {
  const provide = await load();
  const { path: folder } = temporaryFolder(t);
  const schema = '{"$id":"http://csrc.nist.gov/ns/oscal/1.0/1.2.2/oscal-complete-schema.json"}';
  const url = await serveText(t, schema);
  assert.deepEqual(await provide(['/a/b.test.js'], url, folder), {});
  const { TEST_OSCAL_SCHEMA: path = '' } = await provide(FILES, url, folder);
  assert.equal(readFileSync(path, 'utf8'), schema);
  const again = await provide(FILES, 'http://127.0.0.1:9/', folder);
  assert.deepEqual(again, { TEST_OSCAL_SCHEMA: path });
});

test('a schema that is out of reach, or another one, leaves the tests without it', async (t) => {
  const provide = await load();
  const { path: folder } = temporaryFolder(t);
  const texts = ['{"$id":"http://csrc.nist.gov/ns/oscal/1.0/1.1.3/x.json"}', '<html>', '[]'];
  const urls = await Promise.all(texts.map((text) => serveText(t, text)));
  for (const url of [...urls, 'http://127.0.0.1:9/']) {
    assert.deepEqual(await provide(FILES, url, folder), {}, url);
  }
});
