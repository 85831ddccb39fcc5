// Type-checks every ts block of the READMEs and of docs, except those that equal a compiled example.
// What a block takes for granted (`app`, `db`, …) is declared in scripts/snippets, in the file named
// after the document: `packages/core/README.md` has `packages-core-README.d.ts`.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root } from './support/repository.mjs';

const block = /(<!--\s*example:[^>]*-->\s*)?^```ts\n([\s\S]*?)^```/gm;
const imports = /^import [^;]*;.*$/gm;
const folder = join(root, '.cache/snippets');

/**
 * A block as a module: as it stands when it exports something, else its imports and a function, since
 * blocks await and return.
 */
function toModule(/** @type {string} */ code, /** @type {string} */ context) {
  const lines = code.match(imports) ?? [];
  const body = code.replace(imports, (text) => text.replace(/[^\n]/g, ''));
  const reference = context ? `/// <reference path="./${context}" />\n` : '';
  if (/^export /m.test(code)) return `${reference}${code}`;
  return `${reference}${lines.join('\n')}\nexport async function snippet() {\n${body}\n}\n`;
}

/** @param {string} file Path of a document. @returns {number} How many blocks were written. */
function writeBlocks(file) {
  const slug = file.replace(/\.md$/, '').replaceAll('/', '-');
  const target = join(folder, slug);
  const declared = join(root, 'scripts/snippets', `${slug}.d.ts`);
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = [...text.matchAll(block)].filter(([, tie]) => tie === undefined);
  if (blocks.length === 0) return 0;
  mkdirSync(target, { recursive: true });
  if (existsSync(declared)) cpSync(declared, join(target, 'context.d.ts'));
  const options = { noEmit: true, composite: false, incremental: false, noUnusedLocals: false };
  const config = {
    extends: '../../../tsconfig.base.json',
    compilerOptions: {
      ...options,
      noUnusedParameters: false,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    include: ['*.ts'],
  };
  writeFileSync(join(target, 'tsconfig.json'), JSON.stringify(config));
  for (const { 2: code = '', index } of blocks) {
    const line = text.slice(0, index).split('\n').length;
    writeFileSync(
      join(target, `line-${line}.ts`),
      toModule(code, existsSync(declared) ? 'context.d.ts' : ''),
    );
  }
  return blocks.length;
}

/** @param {string} file @returns {string} What the compiler reports, empty when nothing. */
function compile(file) {
  const slug = file.replace(/\.md$/, '').replaceAll('/', '-');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', join(folder, slug), '--pretty', 'false'],
    {
      cwd: join(folder, slug),
      encoding: 'utf8',
    },
  );
  return stdout.trim();
}

rmSync(folder, { recursive: true, force: true });
const documents = repositoryFiles().filter(
  (file) => file.endsWith('.md') && !/^(docs\/decisions|scripts)\//.test(file),
);
let count = 0;
let faults = 0;
for (const file of documents) {
  const blocks = writeBlocks(file);
  if (blocks === 0) continue;
  count += blocks;
  const report = compile(file);
  if (report === '') continue;
  faults += report.split('\n').filter((line) => line.includes('error TS')).length;
  process.stdout.write(`${file}:\n${report}\n`);
}
process.stdout.write(`Snippets: ${count} blocks, ${faults} faults.\n`);
process.exitCode = faults === 0 ? 0 : 1;
