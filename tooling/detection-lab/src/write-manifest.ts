import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MODELS_FOLDER } from './lib/paths.ts';

/** The manifest of the weight files, as source text. */
export function manifestOf(path: string): string {
  const rows = readdirSync(path)
    .filter((file) => file.endsWith('.bin'))
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(path, file));
      const format = bytes.toString('latin1', 0, 4);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const name = basename(file, '.bin');
      const key = name.includes('-') ? `'${name}'` : name;
      const lines = [`    format: '${format}',`, `    bytes: ${bytes.length},`];
      return [`  ${key}: {`, ...lines, `    sha256: '${sha256}',`, '  },'].join('\n');
    });
  return [
    '// Written by npm run manifest -w @probity/detection-lab; never by hand.',
    '',
    '/** Format (the first four bytes), length and SHA-256 of every weight file. */',
    `export const WEIGHTS = {\n${rows.join('\n')}\n} as const;`,
    '',
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(
    join(MODELS_FOLDER, '../src/models/manifest.generated.ts'),
    manifestOf(MODELS_FOLDER),
  );
}
