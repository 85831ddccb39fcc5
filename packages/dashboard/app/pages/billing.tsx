import type { Invoice, Subscription } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may, organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import { words } from '../text/settings.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Choice, useSending } from '../ui/form.tsx';
import { Time, toMoney } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { useList } from '../ui/list.ts';
import { Facts, Page, Section } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;

/** The subscription and its invoices. */
export function BillingPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['subscription'],
    queryFn: () => api.organizations.getSubscription(organizationId.value),
  });
  return (
    <Page title={t.nav.billing}>
      {error ? <Failure error={error} retry={refetch} /> : null}
      {data ? (
        <Section title={words.billing.subscription}>
          <Facts
            facts={[
              [words.billing.plan, words.billing.plans[data.plan]],
              [t.webhook.state, words.billing.states[data.status]],
              [words.billing.price, toMoney(data.amount, data.currency)],
              [words.billing.from, <Time key="from" at={data.billing_cycle_start} />],
              [words.billing.to, <Time key="to" at={data.billing_cycle_end} />],
              [words.billing.renewed, data.auto_renew ? t.common.yes : t.common.no],
            ]}
          />
          {may('subscription:update') ? <Change key={data.plan} subscription={data} /> : null}
        </Section>
      ) : null}
      {may('invoices:read') ? <Invoices /> : null}
    </Page>
  );
}

function Change({ subscription }: { readonly subscription: Subscription }) {
  const queries = useQueryClient();
  const sending = useSending();
  const [plan, setPlan] = useState(subscription.plan);
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="form">
      <Choice
        label={words.billing.newPlan}
        values={PLANS.map((each) => [each, words.billing.plans[each]] as const)}
        value={plan}
        onChange={setPlan}
      />
      <div class="row">
        <button
          class="btn"
          type="button"
          disabled={plan === subscription.plan}
          onClick={() => setAsking(true)}
        >
          {words.billing.change}
        </button>
      </div>
      {isAsking ? (
        <Confirm
          title={words.billing.changeTitle(words.billing.plans[plan])}
          lead={sending.error ?? words.billing.changeLead}
          act={words.billing.change}
          busy={sending.isBusy}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const change = () =>
              api.organizations.updateSubscription(organizationId.value, { plan });
            if (!(await sending.send(change))) return;
            say(words.billing.changed);
            setAsking(false);
            await Promise.all(
              [['subscription'], ['invoices']].map((queryKey) =>
                queries.invalidateQueries({ queryKey }),
              ),
            );
          }}
        />
      ) : null}
    </div>
  );
}

function Invoices() {
  const list = useList(['invoices'], (page) =>
    api.organizations.listInvoices(organizationId.value, page),
  );
  const columns: readonly Column<Invoice>[] = [
    {
      title: words.billing.invoice,
      kind: 'grow',
      cell: ({ id, pdf_url: url }) => (
        <a href={url} target="_blank" rel="noreferrer">
          {id} (PDF)
        </a>
      ),
    },
    {
      title: words.billing.amount,
      kind: 'num',
      cell: ({ amount, currency }) => toMoney(amount, currency),
    },
    {
      title: t.webhook.state,
      kind: 'fit',
      cell: ({ status }) => words.billing.invoiceStates[status],
    },
    { title: words.billing.date, kind: 'fit', cell: ({ date }) => date },
    { title: words.billing.due, kind: 'wide', cell: ({ due_date: date }) => date },
  ];
  return (
    <Section title={words.billing.invoices} note={words.billing.invoicesLead}>
      <DataTable
        caption={words.billing.invoices}
        columns={columns}
        list={list}
        empty={
          <Empty title={words.billing.empty}>
            <Icon name="card" />
          </Empty>
        }
      />
    </Section>
  );
}
