import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { DashboardAnswer } from '../src/index.ts';
import { createDashboard } from '../src/index.ts';

const dashboard = createDashboard();

function get(path: string, headers: Record<string, string> = {}): Promise<DashboardAnswer> {
  return dashboard.answer({ method: 'GET', path, headers });
}

async function textAt(path: string): Promise<string> {
  return (await get(path)).body?.toString('utf8') ?? '';
}

/** The scripts and style sheets that the page loads before anything is shown. */
async function firstLoad(): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const page = await textAt('/');
  const paths = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => `/${path}`,
  );
  const files = await Promise.all(paths.map(async (path) => ({ path, file: await get(path) })));
  return files.map(({ path, file }) => ({
    path,
    bytes: gzipSync(file.body ?? Buffer.alloc(0), { level: 9 }).length,
  }));
}

test('a page at any depth leads back to the mount and to the API', async () => {
  assert.match(await textAt('/'), /<base href="\.\/">/);
  assert.match(await textAt('/scans'), /<base href="\.\/">/);
  assert.match(await textAt('/scans/scn_1'), /<base href="\.\.\/">/);
  assert.match(await textAt('/a/b/c'), /<base href="\.\.\/\.\.\/">/);
  assert.match(await textAt('/'), /<meta name="probity-api" content="\.\.\/">/);
  const elsewhere = createDashboard({ apiUrl: '/probity/' });
  const { body } = await elsewhere.answer({ method: 'GET', path: '/', headers: {} });
  assert.match(String(body), /<meta name="probity-api" content="\/probity\/">/);
});

test('the policy of a page allows files of the same origin alone', async () => {
  const { headers } = await get('/');
  const policy = headers['Content-Security-Policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(headers['Referrer-Policy'], 'no-referrer');
  assert.doesNotMatch(await textAt('/'), /<script(?![^>]* src=)|<style|style=|onload=/);
});

test('files with a hash in their name are kept for a year, pages are asked for again', async () => {
  const [script] = await firstLoad();
  const file = await get(script?.path ?? '');
  assert.match(file.headers['Cache-Control'] ?? '', /immutable/);
  const page = await get('/');
  assert.equal(page.headers['Cache-Control'], 'no-cache');
  const again = await get('/', { 'if-none-match': `W/${page.headers.ETag}` });
  assert.deepEqual([again.status, again.body], [304, null]);
});

test('files are compressed as the browser accepts them', async () => {
  const plain = await textAt('/');
  const brotli = await get('/', { 'accept-encoding': 'gzip, br' });
  assert.equal(brotli.headers['Content-Encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli.body ?? Buffer.alloc(0)).toString('utf8'), plain);
  const gzip = await get('/', { 'accept-encoding': 'br;q=0, gzip' });
  assert.equal(gunzipSync(gzip.body ?? Buffer.alloc(0)).toString('utf8'), plain);
  const none = await get('/', { 'accept-encoding': 'identity' });
  assert.equal(none.headers['Content-Encoding'], undefined);
});

test('a missing script is 404 and no page, and only GET and HEAD are answered', async () => {
  assert.equal((await get('/assets/old.js')).status, 404);
  assert.equal((await get('/../package.json')).headers['Content-Type'], 'text/html; charset=utf-8');
  const head = await dashboard.answer({ method: 'HEAD', path: '/', headers: {} });
  assert.deepEqual([head.status, head.body], [200, null]);
  const post = await dashboard.answer({ method: 'POST', path: '/', headers: {} });
  assert.deepEqual([post.status, post.headers.Allow], [405, 'GET, HEAD']);
});

test('an API address without a slash at the end is refused, with the remedy', () => {
  for (const apiUrl of ['/probity', '"><script>/', 'x y/']) {
    assert.throws(
      () => createDashboard({ apiUrl }),
      /apiUrl must be an address that ends with a slash/,
    );
  }
});

test('a wrong path of an API is refused, by its option, with the remedy', () => {
  for (const general of ['probity', '/probity/', '/"><script>', '/a b']) {
    assert.throws(
      () => createDashboard({ paths: { general } }),
      /paths\.general must be a path that begins with a slash and does not end with one/,
    );
  }
  const paths = { general: '/probity', platform: 'v1' };
  assert.throws(() => createDashboard({ paths }), /paths\.platform must be a path/);
});

test('the first load is at most 45 KB of scripts and 14 KB of styles, compressed', async () => {
  const files = await firstLoad();
  const sum = (extension: string) =>
    files
      .filter(({ path }) => path.endsWith(extension))
      .reduce((total, { bytes }) => total + bytes, 0);
  assert.ok(files.length >= 2);
  assert.ok(sum('.js') <= 45_000, `${sum('.js')} bytes of scripts`);
  assert.ok(sum('.css') <= 14_000, `${sum('.css')} bytes of styles`);
});
