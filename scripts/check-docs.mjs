// Checks all Markdown files: relative links lead to files that exist, and a code block below
// `<!-- example: path -->` equals that file (path relative to the repository). Checks the form of
// the records in docs/decisions, that their index is up to date, that docs/reference says what the
// compiled packages do, that the messages in docs/troubleshooting.md occur in the sources, that the
// tests in the table of threats in docs/security.md exist, that the alert rules and the dashboard in docs/operate
// are PromQL over metrics of the server and the gateway, and that no command downloads a SQLite driver.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { alertRuleFaults, dashboardFaults } from './support/alert-rules.mjs';
import { decisionFaults } from './support/decisions.mjs';
import { driverDownloadFaults } from './support/driver-downloads.mjs';
import { messageFaults } from './support/quoted-messages.mjs';
import {
  gatewayMetrics,
  referenceFaults,
  referencePages,
  serverMetrics,
} from './support/reference-pages.mjs';
import { repositoryFiles, root } from './support/repository.mjs';
import { threatFaults } from './support/threats.mjs';

const fence = /^(```+|~~~+).*\n[\s\S]*?^\1\s*$/gm;
const inlineCode = /`[^`\n]*`/g;
const link = /\]\(\s*<?([^)<>\s]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm;
const example = /<!--\s*example:\s*(\S+)\s*-->\s*\n(```+)[^\n]*\n([\s\S]*?)^\2\s*$/gm;

/** @param {string} text @param {number} offset */
function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** Same length and lines, nothing in it. */
function blank(/** @type {string} */ text) {
  return text.replace(/[^\n]/g, ' ');
}

/** @param {string} file @param {string} text @returns {string[]} */
function brokenLinks(file, text) {
  const prose = text.replace(fence, blank).replace(inlineCode, blank);
  return [...prose.matchAll(link)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? '';
    if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return [];
    const [path = ''] = target.split(/[#?]/);
    const base = path.startsWith('/') ? root : join(root, dirname(file));
    if (existsSync(join(base, decodeURIComponent(path)))) return [];
    return [`${file}:${lineAt(text, match.index)} no such file: ${target}`];
  });
}

/** @param {string} file @param {string} text @returns {string[]} */
function staleExamples(file, text) {
  return [...text.matchAll(example)].flatMap(([, path = '', , code = ''], index) => {
    const source = join(root, path);
    const at = `${file}, example ${index + 1}:`;
    if (!existsSync(source)) return [`${at} no such file: ${path}`];
    return readFileSync(source, 'utf8').trim() === code.trim()
      ? []
      : [`${at} differs from ${path}`];
  });
}

const files = repositoryFiles().filter((file) => file.endsWith('.md'));
const fileFaults = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...brokenLinks(file, text), ...staleExamples(file, text)];
});
const pages = await referencePages();
const gateway = await gatewayMetrics();
const faults = [
  ...fileFaults,
  ...decisionFaults(files),
  ...driverDownloadFaults(files),
  ...referenceFaults(pages),
  ...messageFaults(),
  ...threatFaults(),
  ...alertRuleFaults('docs/operate/alerts.yml', await serverMetrics()),
  ...alertRuleFaults('docs/operate/gateway-alerts.yml', gateway),
  ...dashboardFaults('docs/operate/gateway-dashboard.json', gateway),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`Documents: ${files.length} files, ${faults.length} faults.\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
