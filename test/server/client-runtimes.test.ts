import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PATIENCE_MS, temporaryFolder } from '@probity/test-support';
import { CLIENT, EXPECTED, PROGRAM, serveOn } from './client-world.ts';

const { TEST_DENO, TEST_BUN, TEST_BUNDLER_FOLDER } = process.env;

const RUNTIMES = [
  { name: 'Deno', program: TEST_DENO, args: ['run', '--no-prompt', '--allow-net', '--allow-read'] },
  { name: 'Bun', program: TEST_BUN, args: ['run'] },
];

for (const { name, program, args } of RUNTIMES) {
  if (program === undefined) continue;
  test(`the client runs in ${name}`, async (t) => {
    const { path } = temporaryFolder(t);
    const served = await serveOn(t, `sqlite:${path}/probity.db`);
    const env = { ...process.env, DENO_DIR: `${path}/deno`, DENO_NO_UPDATE_CHECK: '1' };
    const all = [...args, PROGRAM, CLIENT, JSON.stringify(served)];
    const { stdout } = await promisify(execFile)(program, all, { env, timeout: PATIENCE_MS });
    assert.deepEqual(JSON.parse(stdout), EXPECTED);
  });
}

/** Largest bundle for browsers without the table of operations in bytes, minified. */
const MOST_BYTES = 15_000;
/** Most bytes of the table for each operation. */
const MOST_BYTES_PER_OPERATION = 175;

interface Bundler {
  build(options: object): Promise<{
    readonly metafile: { readonly inputs: Readonly<Record<string, unknown>> };
    readonly outputFiles: readonly { readonly text: string; readonly contents: Uint8Array }[];
  }>;
}

/** A bundle for browsers, without anything that stands in for modules of Node. */
async function bundle(folder: string, contents: string) {
  const { build } = createRequire(`${folder}/package.json`)('esbuild') as Bundler;
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: dirname(PROGRAM) },
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const [{ text = '', contents: bytes = new Uint8Array() } = {}] = outputFiles;
  return { text, size: bytes.length, inputs: Object.keys(metafile.inputs) };
}

if (TEST_BUNDLER_FOLDER !== undefined) {
  test('the bundle of the client for browsers is small and has no other package', async (t) => {
    const entry = (name: string) => `export * from '${fileURLToPath(`${CLIENT}/${name}.js`)}';`;
    const { size, inputs } = await bundle(TEST_BUNDLER_FOLDER, entry('index'));
    assert.ok(inputs.every((path) => /packages\/client\/dist\/src\/|<stdin>/.test(path)));
    const table = await bundle(
      TEST_BUNDLER_FOLDER,
      `import { OPERATIONS } from '${fileURLToPath(`${CLIENT}/generated/operations.js`)}';
      globalThis.OPERATIONS = OPERATIONS;`,
    );
    const count = [...table.text.matchAll(/\bmethod:/g)].length;
    assert.ok(size - table.size <= MOST_BYTES, `${size - table.size} bytes`);
    assert.ok(table.size <= count * MOST_BYTES_PER_OPERATION, `${table.size} for ${count}`);
    t.diagnostic(`@probity/client: ${size} bytes, minified; ${table.size} of ${count} operations`);
  });
}

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** The page with its script, in front of the server: the same origin, as the API allows no other. */
async function servePage(t: TestContext, script: string, target: string) {
  let report: (result: string) => void = () => undefined;
  const reported = new Promise<string>((resolve) => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === '/page') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      return void response.end('<!doctype html><script src="/script.js"></script>');
    }
    if (request.url === '/script.js') return void response.end(script);
    if (request.url === '/report') {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      report(text);
      return void response.end();
    }
    const { method, url, headers } = request;
    const passed = sendRequest(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reported };
}

/** Opens a page until the test ends. */
function openPage(t: TestContext, browser: string, url: string): void {
  const child = spawn(
    browser,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ...[`--user-data-dir=${temporaryFolder(t).path}`, '--no-first-run'],
      ...['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', url],
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}

if (BROWSER !== undefined && TEST_BUNDLER_FOLDER !== undefined) {
  test('the client runs in a browser', { timeout: PATIENCE_MS }, async (t) => {
    const { path } = temporaryFolder(t);
    const { url, apiKey, organizationId } = await serveOn(t, `sqlite:${path}/probity.db`);
    const options = `{ baseUrl: location.origin, ...${JSON.stringify({ apiKey, organizationId })} }`;
    const { text } = await bundle(
      TEST_BUNDLER_FOLDER,
      `import * as client from '${fileURLToPath(`${CLIENT}/index.js`)}';
      import * as webhooks from '${fileURLToPath(`${CLIENT}/webhooks.js`)}';
      import { journey } from './client-journey.js';
      const report = (body) => fetch('/report', { method: 'POST', body });
      journey({ client, webhooks }, ${options}).then(
        (result) => report(JSON.stringify(result)),
        (error) => report(String(error)),
      );`,
    );
    const page = await servePage(t, text, url);
    openPage(t, BROWSER, `${page.url}/page`);
    assert.deepEqual(JSON.parse(await page.reported), EXPECTED);
  });
}
