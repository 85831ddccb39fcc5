import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';

/** What a package exports beside its version: by default its name. */
export interface FakePackage {
  readonly version: string;
  readonly code?: string;
}

/**
 * Imports a module of `src/sql` that imports nothing of ours from a folder of its own, where only
 * these packages are installed.
 */
export async function importAmong<Module>(
  module: string,
  packages: Readonly<Record<string, FakePackage>>,
  lifetime: TestLifetime,
): Promise<Module> {
  const folder = temporaryFolder(lifetime).path;
  for (const [name, { version, code }] of Object.entries(packages)) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, version }));
    writeFileSync(join(target, 'index.js'), code ?? `module.exports = ${JSON.stringify(name)};`);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const source = fileURLToPath(new URL(`../../src/sql/${module}.js`, import.meta.url));
  const copy = join(folder, `${module}.js`);
  copyFileSync(source, copy);
  return import(pathToFileURL(copy).href) as Promise<Module>;
}
