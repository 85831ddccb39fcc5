import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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
const traits = { set: 'next', passesOn: false, stopsItself: false };

describe('Next.js', () => {
  before(async () => {
    const cwd = join(folder, 'next');
    const env = {
      ...process.env,
      DATABASE: 'memory',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_OUTPUT: 'standalone',
    };
    await succeed(process.execPath, [next, 'build'], { cwd, env });
    const built = join(cwd, BUILD, 'standalone');
    cpSync(built, standalone, { recursive: true, verbatimSymlinks: true });
  });

  after(() => rmSync(standalone, { recursive: true, force: true }));

  describeHost('next start', {
    ...traits,
    args: [next, 'start', '--port', '0', '--hostname', '127.0.0.1'],
  });
  describeHost('output: standalone', {
    ...traits,
    set: relative(folder, join(standalone, 'next')),
    args: ['server.js'],
    env: { PORT: '0', HOSTNAME: '127.0.0.1' },
  });
});
