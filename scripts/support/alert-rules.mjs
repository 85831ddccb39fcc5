import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { root } from './repository.mjs';

/** What Prometheus itself stores about a scrape. */
const OF_PROMETHEUS = { name: 'up', kind: 'gauge', labels: ['job', 'instance'] };
/** Series of a histogram and their further labels. */
const OF_HISTOGRAM = { _bucket: ['le'], _sum: [], _count: [] };

/** @typedef {{name: string, kind: string, labels: readonly string[], help?: string}} Metric */

/**
 * Faults of alert rules: expressions that are not PromQL, and metrics, labels or queues that the program
 * does not have.
 * @param {string} file
 * @param {{metrics: readonly Metric[], queues: readonly string[]}} program
 * @returns {string[]}
 */
export function alertRuleFaults(file, program) {
  if (!existsSync(join(root, file))) return [];
  const { groups } = parse(readFileSync(join(root, file), 'utf8'));
  const rules = groups.flatMap(
    (/** @type {{rules: {alert: string, expr: string}[]}} */ group) => group.rules,
  );
  return expressionsFaults(
    file,
    rules.map((/** @type {{alert: string, expr: string}} */ { alert, expr }) => ({
      name: alert,
      expr,
    })),
    program,
  );
}

/**
 * The same of the panels of a dashboard of Grafana.
 * @param {string} file
 * @param {{metrics: readonly Metric[], queues: readonly string[]}} program
 * @returns {string[]}
 */
export function dashboardFaults(file, program) {
  if (!existsSync(join(root, file))) return [];
  const { panels } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const expressions = panels.flatMap(
    (/** @type {{title: string, targets?: {expr: string}[]}} */ { title, targets = [] }) =>
      targets.map(({ expr }) => ({ name: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  );
  const shown = expressions.map((/** @type {{expr: string}} */ { expr }) => expr).join('\n');
  const missing = program.metrics.filter(({ name }) => !shown.includes(name));
  return [
    ...expressionsFaults(file, expressions, program),
    ...missing.map(({ name }) => `${file}: no panel shows ${name}`),
  ];
}

/**
 * @param {string} file
 * @param {readonly {name: string, expr: string}[]} expressions
 * @param {{metrics: readonly Metric[], queues: readonly string[]}} program
 * @returns {string[]}
 */
function expressionsFaults(file, expressions, { metrics, queues }) {
  const labels = labelsByName([...metrics, OF_PROMETHEUS]);
  return expressions.flatMap(({ name, expr }) =>
    expressionFaults(expr, labels, queues).map((fault) => `${file} ${name}: ${fault}`),
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
