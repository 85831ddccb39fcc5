import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';

const program = fileURLToPath(new URL('../src', import.meta.url));
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The packages of a host that scans on SQLite and mounts no router. */
const LIBRARIES = ['kysely', 'better-sqlite3', 'better-sqlite3-13'];

/** A folder with the script and only those packages that the manifests declare. */
function installScript(t: TestLifetime): string {
  const folder = temporaryFolder(t).path;
  const modules = join(folder, 'node_modules');
  const needed = new Set(LIBRARIES);
  for (const name of ['core', 'governance', 'pipeline']) {
    const source = join(root, 'packages', name);
    const { dependencies, files } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const copied = files.filter((file: string) => !file.startsWith('!'));
    for (const file of ['package.json', ...copied]) {
      cpSync(join(source, file), join(modules, '@probity', name, file), { recursive: true });
    }
    for (const dependency of Object.keys(dependencies)) needed.add(dependency);
  }
  for (const name of needed) {
    const link = join(modules, name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  cpSync(program, join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

function run(folder: string, ...args: string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

test('a script that mounts no router scans on SQLite in an install without koa and pg', async (t) => {
  const folder = installScript(t);
  const scan = (text: string) => run(folder, 'src/scan.js', 'host.db', 'acme', text);
  assert.deepEqual(await scan('Her SSN is 536-22-8145.'), {
    code: 1,
    output: 'blocked pii_scanner found ssn\n',
  });
  assert.deepEqual(await scan('Your order arrives on Monday.'), { code: 0, output: 'allowed\n' });
  for (const library of ['koa', '@koa/router', 'pg']) {
    const { output } = await run(folder, '--input-type=module', '-e', `import '${library}'`);
    assert.match(output, new RegExp(`Cannot find package '${library}'`));
  }
});
