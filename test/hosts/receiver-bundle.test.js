import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { folder } from './host-process.js';
import { SECRET, signedRequest } from './signed-request.js';

const tools = join(folder, 'tools');
const MOST_BYTES = 5_500;

/** What the entry may use, all of it in browsers, Deno, Bun and edge runtimes. */
const { crypto, TextEncoder, TextDecoder, atob, btoa } = globalThis;

test('the bundle of a receiver is small, has no other package, and needs no module of Node', async () => {
  const { build } = createRequire(join(tools, 'package.json'))('esbuild');
  const { metafile, outputFiles } = await build({
    stdin: { contents: "export * from '@probity/webhooks/verify';", resolveDir: tools },
    absWorkingDir: tools,
    bundle: true,
    minify: true,
    platform: 'neutral',
    format: 'iife',
    globalName: 'receiver',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const own =
    /^(<stdin>|node_modules\/@probity\/webhooks\/dist\/src\/(verify|receiving\/[\w-]+)\.js)$/;
  assert.deepEqual(
    Object.keys(metafile.inputs).filter((path) => !own.test(path)),
    [],
  );
  const [{ contents, text }] = outputFiles;
  assert.ok(contents.length <= MOST_BYTES, `${contents.length} bytes`);
  process.stdout.write(`@probity/webhooks/verify: ${contents.length} bytes, minified\n`);

  const context = createContext({ crypto, TextEncoder, TextDecoder, atob, btoa });
  const { verifyWebhook } = runInContext(`${text}; receiver`, context);
  const { body, headers } = signedRequest();
  assert.equal((await verifyWebhook(body, headers, SECRET)).id, 'evt_1');
  const forged = verifyWebhook(`${body} `, headers, SECRET);
  await assert.rejects(forged, { name: 'WebhookVerificationError', code: 'signature_mismatch' });
});
