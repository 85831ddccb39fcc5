import type { CoveredObligation, GetCoverageQuery, SystemCoverage } from '@probity/client';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { evidenceText } from '../text/evidence.ts';
import { t } from '../text/index.ts';
import { Empty, Pager } from '../ui/data-table.tsx';
import { ExportMenu, FRAMEWORKS, useAiSystems } from '../ui/evidence-acts.tsx';
import { Failure } from '../ui/failure.tsx';
import { Filters } from '../ui/filters.tsx';
import { toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useFilters, useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { riskOf } from './ai-systems.tsx';
import { ImportLink } from './evidence.tsx';

/** Obligations by AI system: supporting and adverse evidence apart. */
export function CoveragePage() {
  const text = evidenceText();
  const { filters } = useFilters();
  const { gaps, ...query } = filters;
  const systems = useAiSystems();
  const list = useList(['coverage'], (page) =>
    api.compliance.getCoverage({ ...(query as GetCoverageQuery), ...page }),
  );
  return (
    <Page
      title={t.nav.coverage}
      lead={text.coverage.lead}
      actions={
        <>
          <ExportMenu filters={query} />
          <ImportLink />
        </>
      }
    >
      <Filters
        filters={[
          {
            name: 'framework',
            title: text.coverage.framework,
            values: FRAMEWORKS.map((each) => [each, each] as const),
          },
          { name: 'aiSystemId', title: text.coverage.system, values: systems },
          { name: 'gaps', title: text.coverage.show, values: [['1', text.coverage.gaps]] },
        ]}
      />
      <Legend />
      {list.error ? <Failure error={list.error} retry={list.retry} /> : null}
      {list.items ? <Matrix systems={list.items} onlyGaps={gaps === '1'} /> : null}
      <Pager list={list} />
      <p class="hint">{text.coverage.hint}</p>
    </Page>
  );
}

function Legend() {
  const text = evidenceText().coverage;
  const entries = [
    ['allowed', 'cell--has', text.legendSupporting],
    ['bad', 'cell--none', text.legendAdverse],
    ['none', 'cell--none', text.legendNone],
    ['help', '', text.legendUnclassified],
  ] as const;
  return (
    <ul class="row small soft">
      {entries.map(([icon, kind, words]) => (
        <li class={`cell ${kind}`} key={words}>
          <Icon name={icon} />
          {words}
        </li>
      ))}
    </ul>
  );
}

function Matrix({
  systems,
  onlyGaps,
}: {
  readonly systems: readonly SystemCoverage[];
  readonly onlyGaps: boolean;
}) {
  const text = evidenceText().coverage;
  const rows = rowsOf(systems).filter(({ cells }) => !onlyGaps || cells.some(isGapOf(systems)));
  if (rows.length === 0) {
    return (
      <div class="card">
        <Empty title={onlyGaps ? text.noGaps : text.empty} />
      </div>
    );
  }
  const frameworks = [...new Set(rows.map(({ framework }) => framework))];
  return (
    <div class="table-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <div class="scroll-x" tabIndex={0} role="region" aria-label={text.caption}>
        <table class="table matrix">
          <caption class="sr">{text.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{text.obligation}</th>
              {systems.map((system) => (
                <SystemHead key={system.aiSystem?.id ?? ''} system={system} />
              ))}
            </tr>
          </thead>
          {frameworks.map((framework) => (
            <>
              <tbody class="group-head" key={framework}>
                <tr>
                  <th colSpan={systems.length + 1} scope="colgroup">
                    {framework}
                  </th>
                </tr>
              </tbody>
              <tbody>
                {rows
                  .filter((row) => row.framework === framework)
                  .map((row) => (
                    <tr key={row.id}>
                      <th scope="row">
                        {row.reference}
                        <span class="sub">{row.title}</span>
                      </th>
                      {row.cells.map((cell, index) => (
                        <td key={systems[index]?.aiSystem?.id ?? ''}>
                          <Cell cell={cell} systemId={systems[index]?.aiSystem?.id ?? null} />
                        </td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </>
          ))}
        </table>
      </div>
    </div>
  );
}

function SystemHead({ system: { aiSystem } }: { readonly system: SystemCoverage }) {
  const text = evidenceText();
  if (aiSystem === null) {
    return (
      <th scope="col">
        <b>{text.system.none}</b>
      </th>
    );
  }
  return (
    <th scope="col">
      <b dir="auto">{aiSystem.name}</b>
      {aiSystem.riskClass === null && may('ai_systems:write') ? (
        <Link href="ai-systems">{text.coverage.setClass}</Link>
      ) : (
        riskOf(aiSystem.riskClass)
      )}
    </th>
  );
}

type CellOf = CoveredObligation | undefined;

function Cell({ cell, systemId }: { readonly cell: CellOf; readonly systemId: string | null }) {
  const text = evidenceText().coverage;
  if (cell === undefined) {
    return (
      <span class="cell">
        <span aria-hidden="true">–</span>
        <span class="sr">{text.notAbout}</span>
      </span>
    );
  }
  if (cell.evidenceCount === 0) return <NoEvidence cell={cell} />;
  const query = new URLSearchParams({ obligation: cell.id });
  if (systemId !== null) query.set('aiSystemId', systemId);
  return (
    <Link class="cell" href={`evidence?${query}`}>
      <Count icon="allowed" kind="cell--has" count={cell.supportingCount} word={text.supporting} />
      {cell.adverseCount > 0 ? (
        <Count icon="bad" kind="cell--none" count={cell.adverseCount} word={text.adverse} />
      ) : null}
    </Link>
  );
}

function NoEvidence({ cell }: { readonly cell: CoveredObligation }) {
  const text = evidenceText().coverage;
  if (cell.applicability === 'unclassified') {
    return (
      <span class="cell">
        <Icon name="help" />
        <span class="sr">{text.unclassified}</span>
      </span>
    );
  }
  if (cell.applicability === 'applies_later' && cell.appliesFrom !== null) {
    const format = new Intl.DateTimeFormat(t.language, { dateStyle: 'medium', timeZone: 'UTC' });
    return (
      <span class="cell">
        <Icon name="history" />
        {text.later(format.format(new Date(cell.appliesFrom)))}
      </span>
    );
  }
  return (
    <span class="cell cell--none">
      <Icon name="none" />
      {text.none}
    </span>
  );
}

function Count({
  icon,
  kind,
  count,
  word,
}: {
  readonly icon: 'allowed' | 'bad';
  readonly kind: string;
  readonly count: number;
  readonly word: string;
}) {
  return (
    <span class={`row ${count > 0 ? kind : ''}`}>
      <Icon name={icon} />
      <span class="num">{toNumber(count)}</span>
      <span class="sr">{word}</span>
    </span>
  );
}

interface Row extends Pick<CoveredObligation, 'id' | 'framework' | 'reference' | 'title'> {
  /** One for each system; undefined where the obligation is not about its class. */
  readonly cells: readonly CellOf[];
}

/** The obligations of all systems, in the order of the API. */
function rowsOf(systems: readonly SystemCoverage[]): readonly Row[] {
  const cells = systems.map(
    ({ obligations }) => new Map(obligations.map((each) => [each.id, each])),
  );
  // The row about no system has every obligation, and is the last one.
  const all = new Map(
    systems
      .toReversed()
      .flatMap(({ obligations }) => obligations.map((each) => [each.id, each] as const)),
  );
  return [...all.values()].map(({ id, framework, reference, title }) => ({
    ...{ id, framework, reference, title },
    cells: cells.map((system) => system.get(id)),
  }));
}

/** A gap: the obligation applies to the system, and no record supports it. */
function isGapOf(systems: readonly SystemCoverage[]): (cell: CellOf, index: number) => boolean {
  const hasSystem = systems.some(({ aiSystem }) => aiSystem !== null);
  return (cell, index) => {
    if (hasSystem && systems[index]?.aiSystem === null) return false;
    return cell?.applicability === 'applies' && cell.supportingCount === 0;
  };
}
