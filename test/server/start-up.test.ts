import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { bootstrap, spawnServer } from './support.ts';

/** Preloaded into the program: records the URL of every loaded module. */
const RECORDER = `
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
const hooks = \`
import { appendFileSync } from 'node:fs';
export async function load(url, context, nextLoad) {
  appendFileSync(\${JSON.stringify(process.env.LOADED_MODULES)}, url + '\\\\n');
  return nextLoad(url, context);
}\`;
register('data:text/javascript,' + encodeURIComponent(hooks));
`;

/** Names of the packages and installed libraries that a command loads. */
async function librariesLoadedBy(t: TestContext, args: readonly string[]): Promise<string[]> {
  const file = `${temporaryFolder(t).path}/loaded`;
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const program = await spawnServer(t, args, {
    LOADED_MODULES: file,
    NODE_OPTIONS: `--import=${recorder}`,
  });
  assert.equal(await program.exited, 0, program.stderr);
  const urls = readFileSync(file, 'utf8').trim().split('\n');
  const names = urls.map(
    (url) => /.*\/(?:node_modules|packages)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

describe('probity-server loads what it needs', () => {
  for (const args of [['--version'], ['--help'], ['serve', '--help'], ['keys', '--help']]) {
    it(`${args.join(' ')} loads only the command line`, async (t) => {
      assert.deepEqual(await librariesLoadedBy(t, args), ['commander', 'standalone']);
    });
  }

  it('a command loads neither the server nor its libraries', async (t) => {
    const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
    const loaded = await librariesLoadedBy(t, ['migrate', '--database', location]);
    assert.ok(loaded.includes('core') && loaded.includes('kysely'), loaded.join(', '));
    for (const name of ['koa', 'ioredis', 'nodemailer', '@cantoo/pdf-lib', 'prom-client']) {
      assert.ok(!loaded.includes(name), `${name} was loaded`);
    }
  });

  it('every command on a database ends with exit code 0 as a program', async (t) => {
    const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
    await bootstrap(location);
    const commands = [
      ['migrate'],
      ['audit', 'verify'],
      ['jobs', 'list', '--json'],
      ['jobs', 'retry', '--queue', 'outbox'],
      ['retention', 'run'],
      ['maintenance', 'off'],
    ];
    for (const command of commands) {
      const program = await spawnServer(t, [...command, '--database', location]);
      assert.equal(await program.exited, 0, program.stderr);
      assert.notEqual(program.stdout, '', command.join(' '));
    }
  });
});
