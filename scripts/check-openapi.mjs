// Lints the OpenAPI document of the server with Spectral and Redocly; a warning fails, too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverDocument } from './support/reference-pages.mjs';
import { root } from './support/repository.mjs';
import { capture } from './support/run.mjs';

const linters = [
  {
    name: 'Spectral',
    args: ['spectral', 'lint', '--fail-severity=hint', '--ruleset=scripts/openapi/spectral.yaml'],
    isClean: (/** @type {string} */ output) => output.includes('No results'),
  },
  {
    name: 'Redocly',
    args: ['redocly', 'lint', '--format=github-actions', '--config=scripts/openapi/redocly.yaml'],
    isClean: (/** @type {string} */ output) => !/^::(warning|error)/m.test(output),
  },
];

/** Neither tool may report its use or look for newer versions. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const folder = mkdtempSync(join(tmpdir(), 'probity-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  const text = JSON.stringify(await serverDocument());
  writeFileSync(file, text);
  for (const { name, args, isClean } of linters) {
    const [program = '', ...rest] = args;
    const command = join(root, 'node_modules/.bin', program);
    const env = { ...process.env, ...offline };
    const { code, output } = await capture(command, [...rest, file], { env });
    const passed = code === 0 && isClean(output);
    if (!passed) process.exitCode = 1;
    process.stdout.write(passed ? `${name}: no warnings.\n` : `${output}\n`);
  }
  process.stdout.write(`OpenAPI: ${text.length} bytes.\n`);
} finally {
  rmSync(folder, { recursive: true });
}
