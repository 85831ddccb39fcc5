import { existsSync, writeFileSync } from 'node:fs';
import type { Stage } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';

/** Ends its thread at `crash`, and at `once PATH` where the file is not there yet. */
const stage: Stage = {
  name: 'truth_scan',
  targets: ['response'],
  run(context) {
    const [field] = context.fields;
    const [word, path = ''] = field?.text.trim().split(' ') ?? [];
    if (word === 'crash') process.exit(1);
    if (word === 'once' && !existsSync(path)) {
      writeFileSync(path, '');
      process.exit(1);
    }
    context.setScore(0.25);
  },
};

export const pipeline = createPipeline(
  { stages: [{ name: 'truth_scan' }] },
  { stages: { truth_scan: () => stage } },
);
