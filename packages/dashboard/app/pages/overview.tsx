import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { api } from '../api/connection.ts';
import { may, organizationId, person, serves } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Failure } from '../ui/failure.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { titleOf, verdictOf } from './scans.tsx';
import { QUOTAS } from './usage.tsx';

const DAY_MS = 24 * 3_600_000;

/** What needs a person first, then what happened in the last day. */
export function OverviewPage() {
  return (
    <Page title={t.nav.overview} lead={person.value?.session?.organization.name}>
      <Attention />
      <Counts />
      <Latest />
    </Page>
  );
}

function Attention() {
  const alerts = useOpenAlerts();
  const webhooks = useQuery({
    queryKey: ['webhooks', 'overview'],
    queryFn: () => api.webhooks.list({ limit: 100 }).page(),
    enabled: may('webhooks:read') && serves('listWebhooks'),
  });
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: () => api.organizations.getUsage(organizationId.value),
    enabled: may('usage:read') && serves('getUsage'),
  });
  const open = alerts.data?.total ?? 0;
  const off = (webhooks.data?.items ?? []).filter(({ disabledReason }) => disabledReason !== null);
  const report = usage.data;
  const spent = report ? QUOTAS.filter((name) => isSpent(report[name])) : [];
  const lines = [
    ...(open > 0
      ? [
          <Line
            key="alerts"
            icon="alert"
            title={t.overview.openAlerts(toNumber(open))}
            more={t.overview.openAlertsMore}
            href="alerts"
            act={t.overview.seeAlerts}
          />,
        ]
      : []),
    ...off.map(({ id, url, disabledReason }) => (
      <Line
        key={id}
        icon="hook"
        title={t.overview.webhookOff(url)}
        more={disabledReason ?? ''}
        href={`webhooks/${id}`}
        act={t.overview.inspect}
      />
    )),
    ...spent.map((name) => (
      <Line
        key={name}
        icon="card"
        title={t.overview.quota(t.usage[name])}
        more={t.overview.quotaMore(
          toNumber(report?.[name].used ?? 0),
          toNumber(report?.[name].limit ?? 0),
        )}
        href="usage"
        act={t.overview.seeUsage}
      />
    )),
  ];
  const error = alerts.error ?? webhooks.error ?? usage.error;
  if (error) return <Failure error={error} />;
  return (
    <section class="card" aria-labelledby="attention">
      <div class="card-head">
        <h2 id="attention">{t.overview.attention}</h2>
        {lines.length > 0 ? <span class="badge badge--count">{lines.length}</span> : null}
      </div>
      {lines.length > 0 ? (
        <ul class="card-list">{lines.slice(0, 5)}</ul>
      ) : (
        <div class="card-body">
          <p class="muted">{t.overview.nothing}</p>
        </div>
      )}
    </section>
  );
}

function isSpent({ used, limit }: { readonly used: number; readonly limit: number }): boolean {
  return limit > 0 && used / limit >= 0.9;
}

function Line({
  icon,
  title,
  more,
  href,
  act,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly more: ComponentChildren;
  readonly href: string;
  readonly act: string;
}) {
  return (
    <li class="line-item">
      <span class="warn">
        <Icon name={icon} />
      </span>
      <span>
        <span class="strong">{title}</span> <span class="soft">{more}</span>
      </span>
      <Link class="btn btn--sm" href={href}>
        {act}
      </Link>
    </li>
  );
}

function useOpenAlerts() {
  return useQuery({
    queryKey: ['alerts', 'open'],
    queryFn: () => api.alerts.list({ status: 'open', limit: 1 }).page(),
    enabled: may('alerts:read'),
  });
}

function Counts() {
  const alerts = useOpenAlerts();
  const { data } = useQuery({
    queryKey: ['scans', 'counts'],
    queryFn: async () => {
      const since = new Date(Date.now() - DAY_MS).toISOString();
      const count = async (verdict?: 'flagged' | 'blocked') =>
        (
          await api.governance
            .listScans({ since, limit: 1, ...(verdict ? { verdict } : {}) })
            .page()
        ).total;
      const [all, flagged, blocked] = await Promise.all([
        count(),
        count('flagged'),
        count('blocked'),
      ]);
      return { all, flagged, blocked };
    },
  });
  const figures = [
    [t.overview.scans, data?.all, t.overview.today],
    [t.overview.flagged, data?.flagged, t.overview.today],
    [t.overview.blocked, data?.blocked, t.overview.today],
    [t.overview.alerts, alerts.data?.total, ''],
  ] as const;
  return (
    <dl class="stats">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="figure">{value === undefined ? '–' : toNumber(value)}</dd>
          {note === '' ? null : <dd>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function Latest() {
  const { data, error, refetch } = useQuery({
    queryKey: ['scans', 'latest'],
    queryFn: async () => {
      const latest = (verdict: 'flagged' | 'blocked') =>
        api.governance.listScans({ verdict, kind: 'single', limit: 6 }).page();
      const [flagged, blocked] = await Promise.all([latest('flagged'), latest('blocked')]);
      const scans = [...flagged.items, ...blocked.items].filter((scan) => scan.kind === 'single');
      return scans.sort((left, right) => right.createdAt.localeCompare(left.createdAt)).slice(0, 6);
    },
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <section class="card" aria-labelledby="latest">
      <div class="card-head">
        <h2 id="latest">{t.overview.latest}</h2>
        <Link class="push tiny" href="scans">
          {t.overview.viewAll}
        </Link>
      </div>
      {data?.length === 0 ? (
        <div class="empty">
          <p>{t.overview.quiet}</p>
          {may('scans:create') ? (
            <Link class="btn" href="playground">
              {t.overview.playground}
            </Link>
          ) : null}
        </div>
      ) : (
        <ul class="card-list">
          {data?.map((scan) => (
            <li class="line-item" key={scan.id}>
              <Verdict verdict={verdictOf(scan)} />
              <Link class="row-link" href={`scans/${scan.id}`}>
                {titleOf(scan)}
              </Link>
              <span class="muted tiny">
                <Time at={scan.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
