import { existsSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import type { Stage } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';

/** Never comes back from `forever`, names its thread at `thread`, ends it at `crash`, and at `once PATH` where the file is not there yet. */
const stage: Stage = {
  name: 'truth_scan',
  targets: ['response'],
  run(context) {
    const [field] = context.fields;
    const [word, path = ''] = field?.text.trim().split(' ') ?? [];
    if (word === 'crash') process.exit(1);
    while (word === 'forever');
    if (word === 'once' && !existsSync(path)) {
      writeFileSync(path, '');
      process.exit(1);
    }
    context.setScore(word === 'thread' ? threadId / 1_000 : 0.25);
  },
};

export const pipeline = createPipeline(
  { stages: [{ name: 'truth_scan' }] },
  { stages: { truth_scan: () => stage } },
);
