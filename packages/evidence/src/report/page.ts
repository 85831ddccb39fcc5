import { escapeHtml, staticPagePolicy } from '@probity/core/internal';
import type { CoveredObligation, SystemCoverage } from '../coverage/coverage.ts';
import { findObligation } from '../obligations/catalogue.ts';
import { stancesOf } from '../obligations/stance.ts';
import type { Evidence } from '../records/types.ts';
import type { EvidenceReport } from './report.ts';

const STYLE =
  'body{font:11pt/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}' +
  'h1{margin-bottom:.25rem}h2{margin-top:2.5rem;border-bottom:2px solid}h3{margin-top:1.5rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}' +
  'table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;vertical-align:top}' +
  'th{background:#eee}td.number{text-align:right}.supporting{color:#14532d}.adverse{color:#7f1d1d;font-weight:600}.none{color:#555}' +
  '.notice{border:1px solid #999;padding:.5rem 1rem}.hash{font-family:monospace;font-size:.8em;overflow-wrap:anywhere}' +
  'thead{display:table-header-group}tr,.notice{break-inside:avoid}' +
  '@page{margin:18mm}@media print{body{max-width:none;margin:0;padding:0;font-size:9.5pt}h2{break-before:page}h2:first-of-type{break-before:auto}}';

/** The page loads nothing and runs no script. */
export const REPORT_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Disposition': 'inline; filename="evidence-report.html"',
  'Content-Security-Policy': staticPagePolicy(STYLE),
};

/** The report as a page to read, print and hand on. */
export function toReportPage(report: EvidenceReport): string {
  const { organization, filter, systems, omittedSystems } = report;
  const [only] = systems;
  const subject = filter.aiSystemId === undefined ? 'all AI systems' : (only?.aiSystem?.name ?? '');
  const title = `Evidence report: ${filter.framework ?? 'all frameworks'}, ${subject}`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} – ${escapeHtml(organization)}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(title)}</h1>${summaryOf(report)}${NOTICE}`,
    ...systems.map((system) => sectionOf(system, report)),
    omittedSystems > 0 ? `<p>${omittedSystems} further AI systems are not in this report.</p>` : '',
    systems.length === 0 ? '<p>There are no AI systems and no evidence.</p>' : '',
    '</body></html>\n',
  ].join('\n');
}

const NOTICE =
  '<p class="notice">Evidence supports an obligation, or is adverse where a test failed. Whether an obligation is complied with is for ' +
  'people to judge. Titles of obligations are not the text of the framework. No lawyer has reviewed the catalogue of obligations; its dates ' +
  'and amendments of 2026 come from secondary sources.</p>';

function summaryOf(report: EvidenceReport): string {
  const { organization, filter, createdAt, verification, records, totalRecords } = report;
  const { fault, end } = verification;
  const chain = fault
    ? `<strong class="adverse">not intact: the record at place ${fault.sequence} is ${escapeHtml(fault.reason)}</strong>`
    : `intact: ${verification.records} records, verified on ${dayOf(createdAt)}`;
  const shown =
    records.length < totalRecords
      ? `${totalRecords}, of which the newest ${records.length} are listed`
      : String(totalRecords);
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['Organization', escapeHtml(organization)],
    ['Framework', escapeHtml(filter.framework ?? 'all')],
    ['Date', timeOf(createdAt)],
    ['Records', shown],
    ['Chain of records', chain],
    [
      'End of the chain',
      end ? `<span class="hash">${end.sequence}: ${escapeHtml(end.hash)}</span>` : 'no record',
    ],
  ];
  return `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

function sectionOf({ aiSystem, obligations }: SystemCoverage, { records }: EvidenceReport): string {
  const own = records.filter(({ aiSystemId }) => aiSystemId === (aiSystem?.id ?? null));
  const facts = aiSystem
    ? `<dl><dt>Risk class</dt><dd>${escapeHtml(aiSystem.riskClass ?? 'not set')}</dd><dt>Owner</dt><dd>${escapeHtml(aiSystem.owner ?? 'not set')}</dd>` +
      `<dt>Description</dt><dd>${escapeHtml(aiSystem.description ?? '')}</dd></dl>`
    : '';
  return (
    `<h2>${escapeHtml(aiSystem?.name ?? 'Evidence about no AI system')}</h2>${facts}` +
    [...byFramework(obligations)]
      .map(([framework, rows]) => `<h3>${escapeHtml(framework)}</h3>${obligationTable(rows)}`)
      .join('') +
    `<h3>Records</h3>${own.length === 0 ? '<p>None.</p>' : recordTable(own)}`
  );
}

function byFramework(obligations: readonly CoveredObligation[]): Map<string, CoveredObligation[]> {
  const groups = new Map<string, CoveredObligation[]>();
  for (const each of obligations) {
    const { framework } = each.obligation;
    groups.set(framework, [...(groups.get(framework) ?? []), each]);
  }
  return groups;
}

const APPLICABILITY = {
  applies: 'applies',
  applies_later: 'applies later',
  unclassified: 'depends on the risk class',
} as const;

function obligationTable(rows: readonly CoveredObligation[]): string {
  const head = ['Reference', 'Subject', 'Applies', 'Supporting', 'Adverse', 'Newest record'];
  const lines = rows.map(({ obligation, applicability, newestEvidence, ...counts }) => {
    const { supportingCount, adverseCount } = counts;
    const from = obligation.appliesFrom ? ` (from ${obligation.appliesFrom})` : '';
    return rowOf([
      ['', escapeHtml(obligation.reference)],
      ['', escapeHtml(obligation.title)],
      ['', `${APPLICABILITY[applicability]}${from}`],
      [`number ${supportingCount > 0 ? 'supporting' : 'none'}`, String(supportingCount)],
      [`number ${adverseCount > 0 ? 'adverse' : 'none'}`, String(adverseCount)],
      ['', newestEvidence ? dayOf(newestEvidence.createdAt) : ''],
    ]);
  });
  return tableOf(head, lines);
}

function recordTable(records: readonly Evidence[]): string {
  const head = ['Place', 'Date', 'Record', 'Supports', 'Adverse on', 'Id'];
  const lines = records.map((record) => {
    const referencesOf = (wanted: string) =>
      [...stancesOf(record)]
        .flatMap(([id, stance]) => (stance === wanted ? [findObligation(id)] : []))
        .map((found) => (found ? escapeHtml(`${found.framework} ${found.reference}`) : ''))
        .join('; ');
    return rowOf([
      ['number', String(record.sequence)],
      ['', dayOf(record.occurredAt ?? record.createdAt)],
      ['', `<strong>${escapeHtml(record.title)}</strong><br>${escapeHtml(record.content)}`],
      ['supporting', referencesOf('supporting')],
      ['adverse', referencesOf('adverse')],
      ['hash', escapeHtml(record.id)],
    ]);
  });
  return tableOf(head, lines);
}

function tableOf(head: readonly string[], lines: readonly string[]): string {
  const cells = head.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<table><thead><tr>${cells}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

/** A row of cells, each with its class and its HTML. */
function rowOf(cells: ReadonlyArray<readonly [className: string, content: string]>): string {
  return `<tr>${cells.map(([name, content]) => `<td${name === '' ? '' : ` class="${name}"`}>${content}</td>`).join('')}</tr>`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function timeOf(date: Date): string {
  return `${dayOf(date)} ${date.toISOString().slice(11, 16)} UTC`;
}
