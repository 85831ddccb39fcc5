import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { root } from './repository.mjs';

const FILE = 'docs/operate/alerts.yml';
/** What Prometheus itself stores about a scrape. */
const OF_PROMETHEUS = { name: 'up', kind: 'gauge', labels: ['job', 'instance'] };
/** Series of a histogram and their further labels. */
const OF_HISTOGRAM = { _bucket: ['le'], _sum: [], _count: [] };

/** @typedef {{name: string, kind: string, labels: readonly string[]}} Metric */

/**
 * Faults of the alert rules: expressions that are not PromQL, and metrics, labels or queues that the server
 * does not have.
 * @param {{metrics: readonly Metric[], queues: readonly string[]}} server
 * @returns {string[]}
 */
export function alertRuleFaults({ metrics, queues }) {
  if (!existsSync(join(root, FILE))) return [];
  const { groups } = parse(readFileSync(join(root, FILE), 'utf8'));
  const labels = labelsByName([...metrics, OF_PROMETHEUS]);
  return groups.flatMap((/** @type {{rules: {alert: string, expr: string}[]}} */ { rules }) =>
    rules.flatMap(({ alert, expr }) =>
      expressionFaults(expr, labels, queues).map((fault) => `${FILE} ${alert}: ${fault}`),
    ),
  );
}

/** @param {readonly Metric[]} metrics @returns {Map<string, readonly string[]>} */
function labelsByName(metrics) {
  return new Map(
    metrics.flatMap(({ name, kind, labels }) =>
      kind === 'histogram'
        ? Object.entries(OF_HISTOGRAM).map(([end, more]) => [name + end, [...labels, ...more]])
        : [[name, labels]],
    ),
  );
}

/**
 * @param {string} expression
 * @param {Map<string, readonly string[]>} labels
 * @param {readonly string[]} queues
 */
function expressionFaults(expression, labels, queues) {
  /** @type {string[]} */
  const faults = [];
  const known = new Set([...labels.values()].flat());
  parser.parse(expression).iterate({
    enter({ name, from, to, type }) {
      const text = expression.slice(from, to);
      if (type.isError) faults.push(`no PromQL at ${from}`);
      if (name === 'Identifier' && !labels.has(text)) faults.push(`there is no metric ${text}`);
      if (name === 'LabelName' && !known.has(text)) faults.push(`there is no label ${text}`);
      const queue = /^queue="(.*)"$/.exec(name === 'UnquotedLabelMatcher' ? text : '')?.[1];
      if (queue && !queues.includes(queue)) faults.push(`there is no queue ${queue}`);
    },
  });
  return faults;
}
