import { createRandom } from '@probity/test-support/random';
import * as metrics from '../lib/metrics.ts';
import type { Split, Task } from '../lib/rows.ts';
import { spanFigures } from '../lib/span-metrics.ts';
import { reliabilityDiagram } from './diagram.ts';
import { figuresOf, macroFigures, predictionsBySource, spansOf } from './figures.ts';
import { goalsOf } from './goals.ts';
import type { Peer } from './peers.ts';
import type { Prediction } from './predictions.ts';
import { predict, THRESHOLDS } from './predictions.ts';
import type { PeerReport, TaskReport } from './report.ts';

const BOOTSTRAP_SEED = 20_260_101;
const BOOTSTRAP_ROUNDS = 100;

/** Measures one task and draws its reliability diagram (SVG). */
export async function evaluateTask(
  dataDir: string,
  task: Task,
  split: Split,
  peers: readonly Peer[],
): Promise<{ readonly report: TaskReport; readonly diagram: string }> {
  const predictions = await predict(dataDir, task, split);
  const threshold = THRESHOLDS[task];
  const random = createRandom(BOOTSTRAP_SEED);
  const sources = predictionsBySource(predictions);
  const groups = [['all', predictions] as const, ...sources];
  const report: TaskReport = {
    task,
    threshold,
    figures: groups.map(([source, group]) => [source, figuresOf(group, threshold)]),
    aurocInterval: metrics.bootstrapInterval(predictions, metrics.auroc, random, BOOTSTRAP_ROUNDS),
    macro: macroFigures(predictions, threshold),
    calibrationError: metrics.expectedCalibrationError(predictions),
    ...(task === 'pii' ? { spans: spansOf(predictions) } : {}),
    goals: goalsOf(task, predictions),
    peers: await Promise.all(
      peers.filter((peer) => peer.task === task).map((peer) => measurePeer(peer, predictions)),
    ),
  };
  return { report, diagram: reliabilityDiagram(`${task}, ${split}`, predictions) };
}

/** The file name of a task's reliability diagram. */
export function diagramName(task: Task): string {
  return `reliability-${task}.svg`;
}

async function measurePeer(peer: Peer, predictions: readonly Prediction[]): Promise<PeerReport> {
  const answers = [];
  for (const { row, positive } of predictions) {
    answers.push({ positive, row, ...(await peer.answer(row)) });
  }
  const pairs = answers.flatMap(({ row, spans }) =>
    spans === undefined ? [] : [{ expected: row.spans, found: spans }],
  );
  const spanF1 = pairs.length === 0 ? undefined : spanFigures(pairs).get('all')?.f1;
  return {
    name: `${peer.name} ${peer.version}`,
    figures: figuresOf(answers, 0.5),
    ...(spanF1 === undefined ? {} : { spanF1 }),
  };
}
