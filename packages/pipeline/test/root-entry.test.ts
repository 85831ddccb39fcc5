import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

/** Node's loader takes about a quarter of a millisecond for each module, besides running it. */
const MOST_MODULES = 61;
/** Folders of what a scan needs and a program that only imports the package does not. */
const OF_SCANS = ['language', 'messages', 'models', 'text', 'trees'];
/** A value that options are checked with. */
const EXCEPTIONS = ['text/invisible.js'];

/** The modules of this package that an entry loads, by their paths in `src`. */
function modulesOf(entry: string): string[] {
  const hooks = `
    import { writeSync } from 'node:fs';
    export async function load(url, context, next) {
      writeSync(1, url + '\\n');
      return next(url, context);
    }`;
  const code = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    await import(${JSON.stringify(new URL(`../src/${entry}`, import.meta.url).href)});`;
  const args = ['--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  const source = new URL('../src/', import.meta.url).href;
  return stdout
    .split('\n')
    .flatMap((url) => (url.startsWith(source) ? url.slice(source.length) : []));
}

it('the root entry loads few modules, and none of those that scan', () => {
  const modules = modulesOf('index.js');
  assert.ok(modules.includes('pipeline.js'), modules.join(', '));
  assert.ok(modules.length <= MOST_MODULES, `${modules.length} modules: ${modules.join(', ')}`);
  const scanning = modules.filter((path) => {
    const isOfScans = OF_SCANS.some((folder) => path.startsWith(`${folder}/`));
    return (isOfScans && !EXCEPTIONS.includes(path)) || path.endsWith('-scan.js');
  });
  assert.deepEqual(scanning, []);
});
