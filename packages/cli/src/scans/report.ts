import type { ScanRequest } from '@probity/client';
import type { Output } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';
import type { Style } from '../terminal/text.ts';
import { counted, styled, visible } from '../terminal/text.ts';
import type { ScanVerdict } from './scan.ts';

type Finding = ScanVerdict['findings'][number];

const STYLE_OF: Readonly<Record<string, Style>> = {
  allowed: 'green',
  flagged: 'yellow',
  blocked: 'red',
};

/** Weaker scores and findings accuse a text of nothing, and are not printed. */
const LEAST = 0.3;

/** The verdict with its scores and a line for each finding, from {@link LEAST} on; never the text that was found. */
export function formatScan(verdict: ScanVerdict, request: ScanRequest, output: Output): string {
  const word = styled(verdict.verdict, STYLE_OF[verdict.verdict] ?? 'bold', output);
  const reason = 'violation_reason' in verdict ? `  ${visible(verdict.violation_reason)}` : '';
  const scores = Object.entries(verdict.scores)
    .filter((entry): entry is [string, number] => (entry[1] ?? 0) >= LEAST)
    .map(([name, score]) => `${visible(name)} ${score.toFixed(2)}`);
  const findings = verdict.findings.filter(({ score }) => score >= LEAST);
  const table = findings.length === 0 ? '' : `${findingTable(findings, request, output)}`;
  const listed = verdict.findings.length;
  const hidden = (verdict.findingCount ?? listed) - listed;
  const more =
    hidden > 0 ? styled(`and ${counted(hidden, 'more finding')}\n`, 'faint', output) : '';
  const line = scores.length === 0 ? '' : `${styled(scores.join('  '), 'faint', output)}\n`;
  return `${word}${reason}\n${line}${table}${more}`;
}

function findingTable(findings: Finding[], request: ScanRequest, output: Output): string {
  return formatTable(
    findings,
    [
      { title: 'place', value: (finding) => placeOf(finding, request) },
      { title: 'stage', value: ({ stage }) => stage },
      { title: 'type', value: ({ type }) => type },
      { title: 'score', value: ({ score }) => score.toFixed(2) },
      { title: 'action', value: ({ action }) => action },
    ],
    output,
  );
}

/** Field, line and column, from 1; a column is a character. */
function placeOf({ field, contextIndex, start }: Finding, request: ScanRequest): string {
  const { context } = request;
  const passages = typeof context === 'string' ? [context] : (context ?? []);
  const text = field === 'context' ? passages[contextIndex ?? 0] : request[field];
  const name = contextIndex === undefined ? field : `${field}[${contextIndex}]`;
  if (typeof text !== 'string') return `${name}:${start}`;
  const lines = text.slice(0, start).split(/\r\n|\n|\r/);
  return `${name}:${lines.length}:${[...(lines.at(-1) ?? '')].length + 1}`;
}
