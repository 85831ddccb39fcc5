import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@probity/test-support';

const folder = fileURLToPath(new URL('../src', import.meta.url));

test('the client imports nothing but its own modules, in its code and in its types', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|d\.ts)$/.test(name),
  );
  assert.ok(files.length > 30, `only ${files.length} files were found`);
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    for (const [, specifier = ''] of text.matchAll(
      /(?<![\w/])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g,
    )) {
      assert.match(specifier, /^\.\.?\//, file);
    }
    assert.doesNotMatch(text, /<reference|\bfrom ['"]node:/, file);
  }
});

test('the types of the client need none of Node, and its calls are checked by them', (t) => {
  const { path } = temporaryFolder(t);
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const program = (call: string) => `
    import { createClient } from '${folder}/index.js';
    import { verifyWebhook } from '${folder}/webhooks.js';
    const probity = createClient({ baseUrl: 'https://probity.example', apiKey: 'pbk_1' });
    export const verified = verifyWebhook('', new Headers(), 'whsec_1');
    export async function run() { ${call} }
  `;
  const check = (call: string) => {
    writeFileSync(`${path}/program.ts`, program(call));
    const settings = ['--strict', '--noEmit', '--target', 'ES2022', '--module', 'NodeNext'];
    const lib = ['--lib', 'ES2022,DOM', '--types', ''];
    const tsc = join(dirname(manifest), 'bin', 'tsc');
    const { stdout, status } = spawnSync(
      process.execPath,
      [tsc, ...settings, ...lib, '--ignoreConfig', `${path}/program.ts`],
      { encoding: 'utf8', cwd: path },
    );
    return { stdout, status };
  };
  const right = `
    const scan = await probity.governance.scan({ response: 'a', prompt: undefined });
    const verdict: 'allowed' | 'flagged' = scan.verdict;
    for await (const { message } of probity.alerts.list({ status: 'open' })) message.trim();
    const { items, total } = await probity.alerts.list();
    const rows: Promise<{ readonly items: readonly object[] }> = probity.compliance.getCoverage();
    return [verdict, items[0]?.severity, total.toFixed(), (await rows).items] as const;
  `;
  assert.deepEqual(check(right), { stdout: '', status: 0 });
  for (const wrong of [
    'return probity.governance.scan({ response: 5 });',
    'return probity.alerts.list({ status: "closed" }).page();',
    'return (await probity.compliance.getCoverage()).obligations;',
    'return probity.alerts.list().items;',
    'return probity.alerts.get();',
    'return (await probity.status.get()).uptime;',
    'return probity.alerts.get("alr_1", { idempotencyKey: "k" });',
  ]) {
    assert.match(check(wrong).stdout, /program\.ts\(6,\d+\): error TS/, wrong);
  }
});
