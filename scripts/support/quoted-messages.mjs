import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root } from './repository.mjs';

const DOCUMENT = 'docs/troubleshooting.md';
/** The first column of a row, which may quote several messages. */
const cell = /^\| (`[^|]+) \|/;
const quotes = /`([^`]+)`/g;
const joint = /['"`]\s*\+\s*['"`]/g;

/**
 * The messages that the document about troubleshooting quotes, and no source has. `…` stands for a
 * part that varies; each part between must occur in the sources, strings joined by + as one.
 * @returns {string[]}
 */
export function messageFaults() {
  const files = repositoryFiles();
  if (!files.includes(DOCUMENT)) return [];
  const sources = files
    .filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8').replace(joint, ''));
  const lines = readFileSync(join(root, DOCUMENT), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const quoted = [...(cell.exec(line)?.[1] ?? '').matchAll(quotes)].map(([, text]) => text);
    const parts = quoted
      .flatMap((text) => text.split('…'))
      .map((part) => part.trim())
      .filter(Boolean);
    const missing = parts.filter((part) => !sources.some((source) => source.includes(part)));
    return missing.map((part) => `${DOCUMENT}:${index + 1} no source has the message: ${part}`);
  });
}
