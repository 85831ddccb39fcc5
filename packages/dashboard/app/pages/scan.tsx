import type { AppliedPolicy, ScanOrBatch, ScanRecord } from '@probity/client';
import { useQuery } from '@tanstack/preact-query';
import { useRoute } from 'preact-iso';
import { api } from '../api/connection.ts';
import { t } from '../text/index.ts';
import { Copy } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Table } from '../ui/data-table.tsx';
import { Failure } from '../ui/failure.tsx';
import { FindingsTable } from '../ui/findings.tsx';
import { Time, toDuration, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ScoreBars } from '../ui/scores.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { titleOf, verdictOf } from './scans.tsx';

/** One scan: the reason for its verdict, and its findings. */
export function ScanPage() {
  const { id = '' } = useRoute().params;
  const { data, error, refetch } = useQuery({
    queryKey: ['scan', id],
    queryFn: () => api.governance.getScan(id),
  });
  if (error)
    return (
      <Page title={t.scan.one}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.scan.one}>{null}</Page>;
  return data.kind === 'batch' ? <Batch batch={data} /> : <Single scan={data} />;
}

function Single({ scan }: { readonly scan: ScanRecord }) {
  return (
    <Page
      title={titleOf(scan)}
      badge={<Verdict verdict={verdictOf(scan)} large />}
      actions={
        scan.verdict === 'allowed' ? null : (
          <Link class="btn" href={`alerts?scanId=${scan.id}`}>
            <Icon name="alert" />
            {t.scan.alerts}
          </Link>
        )
      }
    >
      <div class="cols cols--aside">
        <div class="stack">
          {scan.violation ? (
            <div class="note note--bad">
              <Icon name="policy" />
              <div>
                <h2>{t.scan.why}</h2>
                <p>{scan.violation.reason}</p>
              </div>
            </div>
          ) : null}
          <Section title={t.scan.findings} note={toNumber(scan.findingCount)}>
            {scan.findings.length === 0 ? (
              <p class="muted">{t.scan.noFindings}</p>
            ) : (
              <FindingsTable findings={scan.findings} />
            )}
            <p class="hint">{t.scan.offsets}</p>
          </Section>
          <Section title={t.scan.scores}>
            <div class="card">
              <div class="card-body">
                <ScoreBars scores={scan.scores} />
              </div>
            </div>
          </Section>
          <Policies scan={scan} />
        </div>
        <aside class="stack" aria-label={t.scan.properties}>
          <Properties scan={scan} />
        </aside>
      </div>
    </Page>
  );
}

function Policies({ scan }: { readonly scan: ScanRecord }) {
  const monitored = new Map(scan.monitored.map((each) => [each.policyId, each]));
  const columns: readonly Column<AppliedPolicy>[] = [
    {
      title: t.scan.policy,
      cell: ({ id }) => (
        <Link class="row-link" href={`policies/${id}`}>
          {id}
        </Link>
      ),
    },
    { title: t.scan.version, cell: ({ version }) => toNumber(version) },
    { title: t.policy.mode, cell: ({ mode }) => t.policy[mode] },
    {
      title: t.scan.verdict,
      cell: ({ id }) => (
        <PolicyVerdict scan={scan} id={id} monitored={monitored.get(id)?.verdict} />
      ),
    },
  ];
  return (
    <Section title={t.scan.policies}>
      <Table caption={t.scan.policies} columns={columns} rows={scan.policies} />
    </Section>
  );
}

function PolicyVerdict({
  scan,
  id,
  monitored,
}: {
  readonly scan: ScanRecord;
  readonly id: string;
  readonly monitored: ScanRecord['verdict'] | undefined;
}) {
  if (monitored) return <Verdict verdict={monitored} />;
  if (scan.violation?.policyId === id) return <Verdict verdict="blocked" />;
  if (scan.verdict === 'allowed') return <Verdict verdict="allowed" />;
  return <span class="muted">{t.common.none}</span>;
}

function Properties({ scan }: { readonly scan: ScanRecord }) {
  const metadata = Object.entries(scan.metadata);
  const hashes = [
    [t.field.prompt, scan.promptHash],
    [t.field.response, scan.responseHash],
    [t.field.context, scan.contextHash],
    [t.field.messages, scan.messagesHash],
  ] as const;
  return (
    <>
      <Facts
        facts={[
          [t.scan.id, <Copy key="id" value={scan.id} />],
          [t.scan.time, <Time key="time" at={scan.createdAt} />],
          [t.scan.took, toDuration(scan.durationMs)],
          [t.scan.key, scan.keyId],
          [t.scan.system, scan.aiSystemId ?? t.common.none],
        ]}
      />
      {metadata.length > 0 ? (
        <>
          <hr />
          <h2 class="small">{t.scan.metadata}</h2>
          <Facts facts={metadata.map(([name, value]) => [name, String(value)] as const)} />
        </>
      ) : null}
      <hr />
      <h2 class="small">{t.scan.hashes}</h2>
      <Facts
        facts={hashes
          .filter(([, hash]) => hash !== null)
          .map(([name, hash]) => [
            name,
            <Copy
              key={name}
              value={hash ?? ''}
              short={`${hash?.slice(0, 8)}…${hash?.slice(-8)}`}
            />,
          ])}
      />
    </>
  );
}

function Batch({ batch }: { readonly batch: Extract<ScanOrBatch, { kind: 'batch' }> }) {
  return (
    <Page title={t.scan.batch} badge={<span class="badge badge--plain">{batch.status}</span>}>
      <Facts
        facts={[
          [t.scan.id, <Copy key="id" value={batch.id} />],
          [t.scan.time, <Time key="time" at={batch.createdAt} />],
          [t.verdict.allowed, toNumber(batch.allowed)],
          [t.verdict.flagged, toNumber(batch.flagged)],
          [t.verdict.blocked, toNumber(batch.blocked)],
        ]}
      />
    </Page>
  );
}
