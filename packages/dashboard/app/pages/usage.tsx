import { useQuery } from '@tanstack/preact-query';
import { api } from '../api/connection.ts';
import { organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Failure } from '../ui/failure.tsx';
import { toDay, toNumber } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';

export const QUOTAS = [
  'api_requests',
  'gateway_scans',
  'gateway_instances',
  'sentinel_agents',
  'storage_gb',
] as const;

/** Usage of the current period and the limits. */
export function UsagePage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['usage'],
    queryFn: () => api.organizations.getUsage(organizationId.value),
  });
  if (error)
    return (
      <Page title={t.nav.usage}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.nav.usage}>{null}</Page>;
  const { start, end } = data.period;
  return (
    <Page title={t.nav.usage} lead={t.usage.lead(toDay(start), toDay(end))}>
      <div class="card">
        <div class="card-body scores">
          {QUOTAS.map((name) => {
            const { used, limit } = data[name];
            const share = limit === 0 ? 0 : Math.min(1, used / limit);
            return (
              <div class="score" key={name}>
                <span>{t.usage[name]}</span>
                <svg
                  class="meter"
                  viewBox="0 0 100 8"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect class="f-track" width="100" height="8" />
                  <rect
                    class={share >= 0.9 ? 'f-flagged' : 'f-ink'}
                    width={100 * share}
                    height="8"
                  />
                </svg>
                <span class="num">{t.usage.of(toNumber(used), toNumber(limit))}</span>
              </div>
            );
          })}
        </div>
      </div>
    </Page>
  );
}
