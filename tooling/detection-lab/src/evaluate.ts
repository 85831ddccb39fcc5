// npm run evaluate -w @probity/detection-lab -- --data DIR [--task NAME] [--split train|dev] [--out DIR]
//   [--peers DIR] [--write-docs FILE]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { diagramName, evaluateTask } from './evaluation/evaluate-task.ts';
import { loadPeers } from './evaluation/peers.ts';
import { toMarkdown } from './evaluation/report.ts';
import { readOptions, runScript, toSplit, UsageError } from './lib/arguments.ts';
import { CACHE_FOLDER, DOCS_FOLDER } from './lib/paths.ts';
import type { Split, Task } from './lib/rows.ts';
import { TASKS } from './lib/rows.ts';

const DOCUMENT_HEAD = `# Evaluation

Made by \`npm run evaluate -w @probity/detection-lab -- --data DIR --write-docs\`; not to be edited. The rows
are those that the models were chosen and calibrated on, other rows of sources that partly served
for training: how the detectors do on unseen sources is not in these tables. P, R,
F1 and FPR are at the specification's threshold. A source with one class has only the figures of that class.
`;

async function main(args: readonly string[], folder: string): Promise<void> {
  const flag = args.indexOf('--write-docs');
  const rest = flag < 0 ? args : [...args.slice(0, flag), ...args.slice(flag + 1)];
  const options = readOptions(rest, ['task', 'split', 'out', 'peers']);
  const split = toSplit(options.split ?? 'dev');
  const { found, absent } = await loadPeers(peersFolder(options.peers, folder));
  for (const name of absent) {
    console.log(`${name} is not there and left out (node scripts/peers.mjs fetches it)`);
  }
  const sections: string[] = [];
  for (const task of toTasks(options.task)) {
    const started = performance.now();
    const { report, diagram } = await evaluateTask(
      resolve(folder, options.data),
      task,
      split,
      found,
    );
    sections.push(toMarkdown(report));
    console.log(`\n${sections.at(-1)}`);
    console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (options.out !== undefined) writeDiagram(resolve(folder, options.out), task, diagram);
  }
  if (flag >= 0) writeDocument(split, sections);
}

/** Where `scripts/peers.mjs` puts what it fetches; what the packages here depend on is found from there. */
function peersFolder(given: string | undefined, folder: string): string {
  const fetched = join(CACHE_FOLDER, 'peers');
  if (given !== undefined) return resolve(folder, given);
  return existsSync(fetched) ? fetched : folder;
}

function toTasks(value: string | undefined): readonly Task[] {
  if (value === undefined) return TASKS;
  const task = TASKS.find((known) => known === value);
  if (task === undefined) throw new UsageError(`--task: expected one of ${TASKS.join(', ')}`);
  return [task];
}

function writeDiagram(folder: string, task: Task, diagram: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, diagramName(task)), diagram);
}

function writeDocument(split: Split, sections: readonly string[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const facts = `Measured ${date}, rows of \`${split}\`, Node ${process.versions.node}.\n`;
  mkdirSync(DOCS_FOLDER, { recursive: true });
  writeFileSync(join(DOCS_FOLDER, 'evaluation.md'), [DOCUMENT_HEAD, facts, ...sections].join('\n'));
}

// npm runs a workspace's script in the package's folder; paths are meant from where npm was called.
await runScript('evaluate', () =>
  main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()),
);
