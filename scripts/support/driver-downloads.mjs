import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';

/** What installs better-sqlite3 12, or says for which Node to do so. */
const mention = /better-sqlite3@12\b|\bversion 12 on Node before\b/;

const SETTING = 'npm_config_build_from_source=true';

/**
 * The lines that say to install better-sqlite3 12 without the setting that makes its install script
 * compile; by default it downloads a binary that nothing checks.
 * @param {readonly string[]} files Markdown files, relative to the repository.
 * @returns {string[]}
 */
export function driverDownloadFaults(files) {
  return files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      mention.test(line) && !line.includes(SETTING)
        ? [`${file}:${index + 1} installs better-sqlite3 12 without ${SETTING}`]
        : [],
    );
  });
}
