import type { Evidence, ListEvidenceQuery } from '@probity/client';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { evidenceText } from '../text/evidence.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { ExportMenu, FRAMEWORKS, useAiSystems, VerifyChain } from '../ui/evidence-acts.tsx';
import { Filters } from '../ui/filters.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useFilters, useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';

const columns = (): readonly Column<Evidence>[] => {
  const text = evidenceText().evidence;
  const count = ({ links }: Evidence, stance: 'supporting' | 'adverse') =>
    toNumber(links.filter((link) => link.stance === stance).length);
  return [
    {
      title: text.title,
      kind: 'grow',
      cell: ({ id, title, sequence }) => (
        <>
          <Link class="row-link" href={`evidence/${id}`}>
            <span dir="auto">{title}</span>
          </Link>
          <span class="sub">#{sequence}</span>
        </>
      ),
    },
    { title: text.type, kind: 'wide', cell: ({ evidenceType }) => <code>{evidenceType}</code> },
    { title: text.supports, kind: 'num', cell: (record) => count(record, 'supporting') },
    { title: text.adverse, kind: 'num', cell: (record) => count(record, 'adverse') },
    { title: text.recorded, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
};

/** Evidence records by the filters of the address. */
export function EvidencePage() {
  const text = evidenceText();
  const { filters } = useFilters();
  const systems = useAiSystems();
  const list = useList(['evidence'], (page) =>
    api.compliance.listEvidence({ ...(filters as ListEvidenceQuery), ...page }),
  );
  const { obligation } = filters;
  return (
    <Page
      title={t.nav.evidence}
      lead={obligation ? text.evidence.obligationOf(obligation) : text.evidence.lead}
      actions={
        <>
          <ExportMenu filters={filters} />
          <ImportLink />
        </>
      }
    >
      <VerifyChain />
      <Filters
        searchable
        filters={[
          { name: 'aiSystemId', title: text.coverage.system, values: systems },
          {
            name: 'framework',
            title: text.coverage.framework,
            values: FRAMEWORKS.map((each) => [each, each] as const),
          },
        ]}
      />
      <DataTable
        caption={t.nav.evidence}
        columns={columns()}
        list={list}
        empty={
          <Empty
            title={
              Object.keys(filters).length > 0 ? text.evidence.emptyFiltered : text.evidence.empty
            }
          />
        }
      />
    </Page>
  );
}

/** Leads those who may to the import of results. */
export function ImportLink() {
  if (!may('evidence:write')) return null;
  return (
    <Link class="btn btn--primary" href="evidence/import">
      <Icon name="upload" />
      {evidenceText().import.title}
    </Link>
  );
}
