import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack, succeed } from '../../scripts/support/package-tarballs.mjs';
import { readJson, root, workspacesIn } from '../../scripts/support/repository.mjs';

const programs = join(root, 'test', 'hosts', 'programs');

/** The packages that a host installs. */
const OURS = ['core', 'pipeline', 'governance', 'webhooks'];

/** The example that is run as it is: Next.js is too large for the workspaces. */
const nextExample = join(root, 'examples', 'next');

/** What is installed together, by the name of its folder: our tarballs and these. */
const SETS = /** @type {Record<string, readonly string[]>} */ ({
  newest: [
    ...['koa@3', '@koa/router@15', 'kysely@0.29', 'pg@8', '@koa/bodyparser@6', 'express@5'],
    ...['fastify@5', '@fastify/middie@9', 'hono@4', '@hono/node-server@2', 'rxjs@7'],
    ...['@nestjs/common@12', '@nestjs/core@12', '@nestjs/platform-express@12'],
    'reflect-metadata@0.2',
  ],
  // The lowest versions of the peers.
  oldest: [
    ...['koa@2.13.0', '@koa/router@15.4.0', 'kysely@0.27.0', 'pg@8.11.0'],
    ...['koa-bodyparser@4', 'express@4'],
  ],
  next: specsOf(nextExample),
  // Version 7 of the SDKs needs Node 22.
  'newest-sdks': ['openai@7', 'ai@7', '@ai-sdk/openai@4', '@langchain/core@1', 'zod@4'],
  'oldest-sdks': [
    'openai@5.0.0',
    'ai@5.0.0',
    '@ai-sdk/openai@2.0.0',
    '@langchain/core@1.0.0',
    'zod@3.25',
  ],
  tools: [
    ...['koa@3', '@koa/router@15', 'kysely@0.28', 'esbuild@0.28', '@vercel/nft@1'],
    ...['vitest@4', 'jest@30'],
  ],
});

const FLAGS = [
  ...['--silent', '--prefer-offline', '--ignore-scripts'],
  ...['--no-audit', '--no-fund', '--no-package-lock'],
];

/**
 * Packs the packages and installs them into one folder for each set of versions.
 * @param {string} folder An empty one.
 * @throws {Error} With npm's output when it fails.
 */
export async function installSets(folder) {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  const workspaces = workspacesIn(['packages']).filter(({ name }) => OURS.includes(name));
  const packed = await pack(workspaces, tarballs);
  copySqlite(folder);
  for (const [name, specs] of Object.entries(SETS)) {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
    const paths = packed.map(({ tarball }) => tarball);
    await succeed('npm', ['install', ...FLAGS, ...paths, ...specs], { cwd });
    copyPrograms(cwd);
    if (name.endsWith('-sdks')) copyWrapperTests(cwd);
  }
  cpSync(nextExample, join(folder, 'next'), { recursive: true });
  cpSync(join(programs, 'next'), join(folder, 'next'), { recursive: true });
  // Next.js looks for packages to trace in the folder of the application only.
  copySqlite(join(folder, 'next'));
}

/**
 * What an example installs besides our packages and SQLite.
 * @param {string} example @returns {string[]}
 */
function specsOf(example) {
  const { dependencies, devDependencies } = readJson(join(example, 'package.json'));
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => !/^(@probity\/|better-sqlite3)/.test(name))
    .map(([name, version]) => `${name}@${version}`);
}

/**
 * Copies the repository's builds of better-sqlite3 into a folder of or above the sets, since
 * compiling one takes a minute on Node 20. Copies, since a tracer of files leaves out what a link to the
 * outside points to.
 */
function copySqlite(/** @type {string} */ folder) {
  for (const name of ['better-sqlite3', 'better-sqlite3-13', 'bindings', 'file-uri-to-path']) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (path) =>
        !/[/\\]better-sqlite3(-13)?[/\\](deps|build[/\\]Release[/\\]obj)/.test(path),
    });
  }
}

/** Copies the compiled tests of the SDKs' wrappers, which then read the installed package. */
function copyWrapperTests(/** @type {string} */ folder) {
  const source = join(root, 'packages', 'pipeline', 'dist', 'test', 'wrappers');
  for (const name of readdirSync(source).filter((file) => file.endsWith('.js'))) {
    const code = readFileSync(join(source, name), 'utf8')
      .replaceAll("'../../src/index.js'", "'@probity/pipeline'")
      .replaceAll("'@probity/test-support'", "'./answers.js'")
      .replaceAll(/'\.\.\/\.\.\/src\/wrappers\/([a-z-]+)\.js'/g, "'@probity/pipeline/$1'");
    writeFileSync(join(folder, name), code);
  }
  const answers = ['chat-answers.js', 'anthropic-answers.js'];
  const support = join(root, 'test', 'support', 'dist', 'src');
  for (const name of answers) cpSync(join(support, name), join(folder, name));
  const all = answers.map((name) => `export * from './${name}';\n`).join('');
  writeFileSync(join(folder, 'answers.js'), all);
}

function copyPrograms(/** @type {string} */ folder) {
  cpSync(programs, folder, { recursive: true, filter: (path) => !path.endsWith('/next') });
}
