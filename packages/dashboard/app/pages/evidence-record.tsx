import type { Evidence } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { evidenceText } from '../text/evidence.ts';
import { t } from '../text/index.ts';
import { Code, Copy } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Table } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SystemChoice, useAiSystems, VerifyChain } from '../ui/evidence-acts.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormError, Submit, useSending } from '../ui/form.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

/** One evidence record with its content, its obligations and its place in the chain. */
export function EvidenceRecordPage() {
  const { id = '' } = useRoute().params;
  const { data, error, refetch } = useQuery({
    queryKey: ['evidence', 'record', id],
    queryFn: () => api.compliance.getEvidence(id),
  });
  if (error)
    return (
      <Page title={t.nav.evidence}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.nav.evidence}>{null}</Page>;
  return <Shown record={data} />;
}

function Shown({ record }: { readonly record: Evidence }) {
  const text = evidenceText().evidence;
  const [isChanging, setChanging] = useState(false);
  return (
    <Page
      title={record.title}
      badge={<span class="badge badge--line">{record.evidenceType}</span>}
      actions={
        may('evidence:write') ? (
          <button class="btn" type="button" onClick={() => setChanging(true)}>
            <Icon name="edit" />
            {text.change}
          </button>
        ) : null
      }
    >
      <div class="cols cols--aside">
        <div class="stack">
          <Section title={text.content}>
            <p class="text-view" dir="auto">
              {record.content}
            </p>
          </Section>
          <Links title={text.supports} record={record} stance="supporting" />
          <Links title={text.adverse} record={record} stance="adverse" />
          <Section title={text.data}>
            <Code title={text.data} text={JSON.stringify(record.metadata, null, 2)} />
          </Section>
        </div>
        <Aside record={record} />
      </div>
      {isChanging ? <Change record={record} onClose={() => setChanging(false)} /> : null}
    </Page>
  );
}

function Aside({ record }: { readonly record: Evidence }) {
  const text = evidenceText();
  const system = useAiSystems().find(([id]) => id === record.aiSystemId)?.[1];
  const labels = Object.entries(record.labels);
  return (
    <aside class="stack" aria-label={t.scan.properties}>
      <Facts
        facts={[
          [
            text.coverage.system,
            record.aiSystemId === null ? (
              <span class="muted">{t.common.none}</span>
            ) : (
              <Link href={`coverage?aiSystemId=${record.aiSystemId}`}>
                <span dir="auto">{system ?? record.aiSystemId}</span>
              </Link>
            ),
          ],
          [text.evidence.occurred, <Time key="at" at={record.occurredAt} none={t.common.none} />],
          [text.evidence.recorded, <Time key="made" at={record.createdAt} />],
          [
            text.evidence.source,
            <span key="source" dir="auto">
              {record.source}
            </span>,
          ],
          [
            text.evidence.labels,
            labels.length === 0 ? (
              <span class="muted">{t.common.none}</span>
            ) : (
              <span dir="auto">{labels.map(([name, value]) => `${name}:${value}`).join(', ')}</span>
            ),
          ],
          [t.scan.id, <Copy key="id" value={record.id} />],
          [text.evidence.sequence, <b key="place">#{toNumber(record.sequence)}</b>],
          [text.evidence.hash, <Copy key="hash" value={record.hash} />],
        ]}
      />
      <VerifyChain />
    </aside>
  );
}

function Links({
  title,
  record,
  stance,
}: {
  readonly title: string;
  readonly record: Evidence;
  readonly stance: 'supporting' | 'adverse';
}) {
  const text = evidenceText();
  const links = record.links
    .filter((link) => link.stance === stance)
    .map((link) => ({ ...link, id: link.obligationId }));
  if (links.length === 0) return null;
  const columns: readonly Column<(typeof links)[number]>[] = [
    {
      title: text.evidence.reference,
      kind: 'grow',
      cell: ({ id, reference, title: name }) => (
        <>
          <Link class="row-link" href={`evidence?obligation=${encodeURIComponent(id)}`}>
            {reference}
          </Link>
          <span class="sub">{name}</span>
        </>
      ),
    },
    { title: text.coverage.framework, kind: 'fit', cell: ({ framework }) => framework },
  ];
  return (
    <Section title={title}>
      <Table caption={title} columns={columns} rows={links} />
    </Section>
  );
}

function Change({ record, onClose }: { readonly record: Evidence; readonly onClose: () => void }) {
  const text = evidenceText().evidence;
  const queries = useQueryClient();
  const sending = useSending();
  const [system, setSystem] = useState(record.aiSystemId ?? '');
  return (
    <Dialog title={text.change} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const aiSystemId = system === '' ? null : system;
          const change = () => api.compliance.updateEvidence(record.id, { aiSystemId });
          if (!(await sending.send(change))) return;
          say(text.changed);
          await queries.invalidateQueries({ queryKey: ['evidence'] });
          await queries.invalidateQueries({ queryKey: ['coverage'] });
          onClose();
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <SystemChoice value={system} onChange={setSystem} />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{t.common.save}</Submit>
        </div>
      </form>
    </Dialog>
  );
}
