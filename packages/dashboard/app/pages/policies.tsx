import type { Policy } from '@probity/client';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';

const columns = (): readonly Column<Policy>[] => [
  {
    title: t.policy.name,
    kind: 'grow',
    cell: ({ id, name, description }) => (
      <>
        <Link class="row-link" href={`policies/${id}`}>
          {name}
        </Link>
        <span class="sub" dir="auto">
          {description ?? id}
        </span>
      </>
    ),
  },
  { title: t.policy.mode, kind: 'fit', cell: (policy) => <Mode policy={policy} /> },
  { title: t.policy.rules, kind: 'num', cell: ({ rules }) => toNumber(rules.length) },
  { title: t.policy.version, kind: 'num', cell: ({ version }) => toNumber(version) },
  {
    title: t.policy.changed,
    kind: 'fit',
    cell: ({ updatedAt }) => <Time at={updatedAt} none={t.common.none} />,
  },
];

/** How a policy acts: enforced, monitored or off. */
export function Mode({ policy }: { readonly policy: Pick<Policy, 'enabled' | 'mode'> }) {
  if (!policy.enabled) return <span class="muted">{t.policy.off}</span>;
  return (
    <span class="row nowrap">
      <Icon name={policy.mode === 'monitor' ? 'eye' : 'allowed'} small />
      {t.policy[policy.mode]}
    </span>
  );
}

/** All policies of the organization. */
export function PoliciesPage() {
  const list = useList(['policies'], (page) => api.governance.listPolicies(page));
  return (
    <Page
      title={t.policy.title}
      lead={t.policy.lead}
      actions={
        may('policies:write') ? (
          <Link class="btn btn--primary" href="policies/new">
            <Icon name="plus" />
            {t.policy.create}
          </Link>
        ) : null
      }
    >
      <DataTable
        caption={t.policy.title}
        columns={columns()}
        list={list}
        empty={<Empty title={t.policy.empty} />}
      />
    </Page>
  );
}
