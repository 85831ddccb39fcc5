// node tooling/detection-lab/dist/src/compare.js --data DIR [--peers DIR] [--write]
// Compares with other npm packages on public rows that no detector was trained or tuned on. DIR has the clones that
// COMPARED_SOURCES names; --write puts the tables into bench/results/comparison.md.
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGuard, createPipeline } from '@probity/pipeline';
import { COMPARED_SOURCES, readComparedRows } from './evaluation/compared-rows.ts';
import type { ComparedDetector, TaskTable } from './evaluation/comparison.ts';
import { compareTask, toTable } from './evaluation/comparison.ts';
import { loadPeers } from './evaluation/peers.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { CACHE_FOLDER, RESULTS_FOLDER } from './lib/paths.ts';
import type { Task } from './lib/rows.ts';

const STAGES = {
  pii: 'pii_scanner',
  injection: 'injection_scanner',
  toxicity: 'toxicity_scanner',
} as const;

const HEAD = `# Comparison with other packages

Made by \`node tooling/detection-lab/dist/src/compare.js --data DIR --write\`, after \`node scripts/peers.mjs\`. DIR has clones of

${COMPARED_SOURCES.map(({ repository, commit, licence }) => `- https://github.com/${repository} at ${commit.slice(0, 8)} (${licence})`).join('\n')}

No row of them has trained or tuned a detector. Every package runs with its defaults. Recall is the share of what should be found, false alarms the
share of harmless texts with a finding. **Bold** is the best of its column.
`;

/** The detector of this repository, as a guard with one stage uses it. */
function ownDetector(task: keyof typeof STAGES): ComparedDetector {
  const guard = createGuard({ pipeline: createPipeline({ stages: [{ name: STAGES[task] }] }) });
  return {
    name: '@probity/pipeline',
    async find(text) {
      const { verdict, findings } = await guard.check({ prompt: text });
      return { isFound: verdict !== 'allowed', spans: findings };
    },
  };
}

async function main(args: readonly string[], folder: string): Promise<void> {
  const flag = args.indexOf('--write');
  const rest = flag < 0 ? args : [...args.slice(0, flag), ...args.slice(flag + 1)];
  const options = readOptions(rest, ['peers']);
  const fetched = join(CACHE_FOLDER, 'peers');
  const peersAt =
    options.peers === undefined && existsSync(fetched)
      ? fetched
      : resolve(folder, options.peers ?? '.');
  const { found, absent } = await loadPeers(peersAt);
  for (const name of absent) {
    console.log(`${name} is not installed (node scripts/peers.mjs fetches it)`);
  }
  const rows = await readComparedRows(resolve(folder, options.data));
  const tables: string[] = [];
  for (const task of Object.keys(STAGES) as (keyof typeof STAGES)[]) {
    const peers = found
      .filter((peer) => peer.task === (task satisfies Task))
      .map(
        (peer): ComparedDetector => ({
          name: `${peer.name} ${peer.version}`,
          async find(text) {
            const { score, spans } = await peer.answer({ text } as Parameters<
              typeof peer.answer
            >[0]);
            return { isFound: score > 0, spans: spans ?? [] };
          },
        }),
      );
    const table: TaskTable = await compareTask(task, rows[task], [ownDetector(task), ...peers]);
    tables.push(toTable(table));
    console.log(`\n${tables.at(-1)}`);
  }
  if (flag < 0) return;
  const date = new Date().toISOString().slice(0, 10);
  const facts = `Measured ${date}, Node ${process.versions.node}.\n`;
  writeFileSync(join(RESULTS_FOLDER, 'comparison.md'), [HEAD, facts, ...tables].join('\n'));
}

await runScript('compare', () =>
  main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()),
);
