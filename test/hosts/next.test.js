import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe } from 'node:test';
import { succeed } from '../../scripts/support/package-tarballs.mjs';
import { folder } from './host-process.js';
import { describeHost } from './suite.js';

const BUILD = '.next';
const next = join('node_modules', 'next', 'dist', 'bin', 'next');
/** Outside of the installation, so that a package that was not traced is missing. */
const standalone = mkdtempSync(join(tmpdir(), 'probity-standalone-'));
const traits = { set: 'next', passesOn: false, stopsItself: false, hasParser: false };

describe('Next.js', () => {
  before(async () => {
    const cwd = join(folder, 'next');
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    await succeed(process.execPath, [next, 'build'], { cwd, env });
    const built = join(cwd, BUILD, 'standalone');
    assert.ok(!existsSync(join(cwd, 'app.db')), 'the build has opened the database');
    cpSync(built, standalone, { recursive: true, verbatimSymlinks: true });
  });

  after(() => rmSync(standalone, { recursive: true, force: true }));

  describeHost('next start', {
    ...traits,
    args: [next, 'start', '--port', '0', '--hostname', '127.0.0.1'],
  });
  describeHost('output: standalone', {
    ...traits,
    set: relative(folder, standalone),
    args: ['server.js'],
    env: { PORT: '0', HOSTNAME: '127.0.0.1' },
  });
});
