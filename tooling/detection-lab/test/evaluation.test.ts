import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bigramNovelty } from '../src/evaluation/baseline.ts';
import { reliabilityDiagram } from '../src/evaluation/diagram.ts';
import { evaluateTask } from '../src/evaluation/evaluate-task.ts';
import { macroFigures, rightNuggetFirst } from '../src/evaluation/figures.ts';
import { loadPeers } from '../src/evaluation/peers.ts';
import type { Prediction } from '../src/evaluation/predictions.ts';
import { toMarkdown } from '../src/evaluation/report.ts';
import { parseRow } from '../src/lib/rows.ts';

describe('the evaluation', () => {
  it('the evaluation measures a task by source, with its goals, beside its peers', async () => {
    await withFolder(async (folder) => {
      const rows = [
        row('a', 'reach me at jane@example.org', 1, [{ start: 12, end: 28, type: 'email' }], 'x'),
        row('b', 'nothing here', 1, [{ start: 0, end: 7, type: 'email' }], 'x'),
        row('c', 'a walk in the park', 0, [], 'y'),
      ];
      mkdirSync(join(folder, 'pii'));
      writeFileSync(join(folder, 'pii', 'dev.jsonl'), rows.join('\n'));
      const peer = {
        name: 'always',
        version: '1.0.0',
        task: 'pii' as const,
        answer: async () => ({ score: 1 }),
      };
      const { report, diagram } = await evaluateTask(folder, 'pii', 'dev', [peer]);
      const figures = new Map(report.figures);
      assert.deepEqual([...figures.keys()], ['all', 'x', 'y']);
      assert.equal(figures.get('x')?.recall, 0.5);
      assert.equal(figures.get('y')?.fpr, 0);
      assert.equal(report.spans?.get('email')?.recall, 0.5);
      assert.deepEqual(
        report.goals.map(({ met }) => met),
        [false, false, true],
      );
      assert.equal(report.peers[0]?.figures.fpr, 1);
      assert.match(toMarkdown(report), /\| span F1 +\| >= 0\.95 \| 0\.667 \| not met \|/);
      assert.match(diagram, /^<svg [\s\S]*3 rows[\s\S]*<\/svg>\n$/);
    });
  });

  it('the evaluation gives every source the same weight in the means', () => {
    const predictions = [
      ...Array.from({ length: 9 }, () => prediction('large', true, 1)),
      prediction('small', true, 0),
      prediction('clean', false, 1),
      prediction('clean', false, 0),
    ];
    const { recall, fpr, balancedAccuracy } = macroFigures(predictions, 0.5);
    assert.deepEqual([recall, fpr, balancedAccuracy], [0.5, 0.5, 0.5]);
  });

  it('the evaluation counts a nugget as right when the most similar finding names it and is similar enough', () => {
    const finding = (nugget: number, score: number) => ({
      stage: 'output_truth_scanner' as const,
      type: 'supported',
      start: 0,
      end: 1,
      score,
      reason: 'r',
      nugget,
    });
    const base = prediction('s', false, 0);
    const about = { ...base, row: { ...base.row, labels: { nugget: 3 } } };
    const aboutNone = { ...base, row: { ...base.row, labels: { nugget: -1 } } };
    const predictions = [
      { ...about, findings: [finding(3, 0.9), finding(4, 0.8)] },
      { ...about, findings: [finding(4, 0.9), finding(3, 0.8)] },
      { ...about, findings: [finding(3, 0.6)] },
      { ...about, findings: [] },
      { ...aboutNone, findings: [finding(4, 0.9)] },
      base,
    ];
    assert.equal(rightNuggetFirst(predictions, 0.7), 0.25);
    assert.equal(rightNuggetFirst(predictions, 0.5), 0.5);
  });

  it('the evaluation has word pairs that the context lacks as the score to beat', () => {
    const one = { ...prediction('s', false, 0).row, text: 'The cat sat.', context: 'the CAT ran' };
    assert.equal(bigramNovelty(one), 0.5);
  });

  it('the evaluation names the peers that are not installed', async () => {
    await withFolder(async (folder) => {
      const { found, absent } = await loadPeers(folder);
      assert.deepEqual(found, []);
      assert.ok(absent.includes('obscenity'));
    });
  });

  it('the evaluation draws a title as text, whatever is in it', () => {
    assert.match(reliabilityDiagram('a<b & c', [{ score: 1, positive: true }]), /a&lt;b &amp; c/);
  });
});

function prediction(source: string, positive: boolean, score: number): Prediction {
  const parsed = parseRow(row(`${source} ${score}`, 'text', positive ? 1 : 0, [], source), 'test');
  return { row: parsed, positive, score, findings: [] };
}

function row(id: string, text: string, label: number, spans: readonly object[], source: string) {
  return JSON.stringify({ id, task: 'pii', text, label, spans, source });
}

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'probity-evaluation-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
