import type { CoveredObligation, SystemCoverage } from '@probity/client';
import type { Output } from '../terminal/output.ts';
import type { Column } from '../terminal/table.ts';
import { formatTable } from '../terminal/table.ts';
import type { Style } from '../terminal/text.ts';
import { styled, visible } from '../terminal/text.ts';

/** How a matrix is printed. */
export interface MatrixOptions {
  /** Whether rows without a gap are left out. */
  readonly isNarrowed: boolean;
  readonly output: Output;
}

/** An obligation with its entry for each AI system; undefined where it is not about the system. */
interface MatrixRow {
  readonly obligation: CoveredObligation;
  readonly entries: readonly (CoveredObligation | undefined)[];
}

/** Width of an entry with its gap: `12 +3! 2026-01-31`. */
const ENTRY_WIDTH = 20;
/** The room for reference and title beside the entries. */
const OTHER_WIDTH = 40;

/** Whether an obligation applies to the AI system today, and no evidence about it supports it. */
export function isGap(entry: CoveredObligation): boolean {
  return entry.applicability === 'applies' && supportingIn(entry) === 0;
}

/** Records that support; servers before the split of adverse records have one count for all. */
function supportingIn({ supportingCount, evidenceCount }: CoveredObligation): number {
  return (supportingCount as number | undefined) ?? evidenceCount;
}

/** The AI systems and signs of the columns, and a table for each framework. */
export function formatMatrix(
  systems: readonly SystemCoverage[],
  { isNarrowed, output }: MatrixOptions,
): string {
  const rows = rowsOf(systems).filter(
    ({ entries }) => !isNarrowed || entries.some((entry) => entry && isGap(entry)),
  );
  const tables = [...byFramework(rows)].map(([framework, own]) => {
    const title = styled(visible(framework), 'bold', output);
    return `${title}\n${formatColumns(own, systems.length, output)}`;
  });
  const legend = systems.map((system, at) => `${headingOf(at)} ${describe(system)}\n`);
  const none = rows.length === 0 ? [styled('none\n', 'faint', output)] : [];
  const head = `${legend.join('')}${styled(KEY, 'faint', output)}`;
  return `${head}\n${[...tables, ...none].join('\n')}`;
}

const KEY = `Entries: records that support, +n! of failures (adverse), day of the newest; - none; later: not in
force yet; ? depends on the risk class, which is not set
`;

/** As many AI systems side by side as the terminal has room for. */
function formatColumns(rows: readonly MatrixRow[], count: number, output: Output): string {
  const fitting = Math.max(1, Math.floor((output.columns - OTHER_WIDTH) / ENTRY_WIDTH));
  const tables: string[] = [];
  for (let from = 0; from < count; from += fitting) {
    const places = Array.from({ length: Math.min(fitting, count - from) }, (_, at) => from + at);
    const columns: Column<MatrixRow>[] = [
      { title: 'reference', value: ({ obligation }) => obligation.reference },
      ...places.map((at) => entryColumn(at)),
      { title: 'title', value: ({ obligation }) => obligation.title },
    ];
    tables.push(formatTable(rows, columns, output));
  }
  return tables.join('\n');
}

function entryColumn(at: number): Column<MatrixRow> {
  return {
    title: headingOf(at),
    value: ({ entries }) => textOf(entries[at]),
    style: ({ entries }) => styleOf(entries[at]),
  };
}

function headingOf(at: number): string {
  return `[${at + 1}]`;
}

function textOf(entry: CoveredObligation | undefined): string {
  if (entry === undefined) return '';
  const { evidenceCount, adverseCount = 0, newestEvidence, applicability } = entry;
  if (evidenceCount > 0) {
    const adverse = adverseCount > 0 ? ` +${adverseCount}!` : '';
    const day = newestEvidence?.createdAt.slice(0, 10) ?? '';
    return `${supportingIn(entry)}${adverse} ${day}`.trim();
  }
  return { applies: '-', applies_later: 'later', unclassified: '?' }[applicability];
}

function styleOf(entry: CoveredObligation | undefined): Style | undefined {
  if (entry === undefined) return undefined;
  if ((entry.adverseCount ?? 0) > 0) return 'red';
  if (entry.evidenceCount > 0) return 'green';
  return entry.applicability === 'applies' ? 'yellow' : 'faint';
}

function describe({ aiSystem, obligations }: SystemCoverage): string {
  const supported = obligations.filter((entry) => supportingIn(entry) > 0).length;
  const adverse = obligations.filter(({ adverseCount = 0 }) => adverseCount > 0).length;
  const name =
    aiSystem === null
      ? 'evidence about no AI system'
      : `${visible(aiSystem.name)} (${aiSystem.riskClass ?? 'not classified'})`;
  const against = adverse === 0 ? '' : `, ${adverse} with adverse evidence`;
  return `${name}: ${supported} of ${obligations.length} obligations supported by evidence${against}`;
}

function byFramework(rows: readonly MatrixRow[]): Map<string, MatrixRow[]> {
  const tables = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const { framework } = row.obligation;
    tables.set(framework, [...(tables.get(framework) ?? []), row]);
  }
  return tables;
}

/** The obligations of all systems, each after the one that it follows in the catalogue. */
function rowsOf(systems: readonly SystemCoverage[]): MatrixRow[] {
  const order: string[] = [];
  const known = new Map<string, CoveredObligation>();
  for (const { obligations } of systems) {
    let place = 0;
    for (const obligation of obligations) {
      if (known.has(obligation.id)) place = order.indexOf(obligation.id) + 1;
      else {
        known.set(obligation.id, obligation);
        order.splice(place, 0, obligation.id);
        place += 1;
      }
    }
  }
  const entries = systems.map(
    ({ obligations }) => new Map(obligations.map((each) => [each.id, each])),
  );
  return order.flatMap((id) => {
    const obligation = known.get(id);
    return obligation ? [{ obligation, entries: entries.map((each) => each.get(id)) }] : [];
  });
}
