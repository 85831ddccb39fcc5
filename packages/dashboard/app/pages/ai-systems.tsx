import type { AiSystem } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { evidenceText } from '../text/evidence.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import type { Sending } from '../ui/form.tsx';
import { Choice, Field, FormError, fieldsOf, Submit, TextArea, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

type RiskClass = NonNullable<AiSystem['riskClass']>;
type Asked =
  | { readonly act: 'create' }
  | { readonly act: 'edit' | 'delete'; readonly system: AiSystem };

/** AI systems: listed, added, changed and deleted. */
export function AiSystemsPage() {
  const text = evidenceText();
  const list = useList(['ai-systems'], (page) => api.compliance.listAiSystems(page));
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const create = may('ai_systems:write') ? (
    <button class="btn btn--primary" type="button" onClick={() => setAsked({ act: 'create' })}>
      <Icon name="plus" />
      {text.system.create}
    </button>
  ) : null;
  return (
    <Page title={text.system.title} lead={text.system.lead} actions={create}>
      <DataTable
        caption={text.system.title}
        columns={columnsWith(setAsked)}
        list={list}
        empty={<Empty title={text.system.empty} />}
      />
      {asked === null ? null : asked.act === 'delete' ? (
        <Delete system={asked.system} onClose={close} />
      ) : (
        <Edit system={asked.act === 'edit' ? asked.system : null} onClose={close} />
      )}
    </Page>
  );
}

/** The risk class in words. */
export function riskOf(riskClass: AiSystem['riskClass']): string {
  return evidenceText().risk[riskClass ?? 'unclassified'];
}

function columnsWith(ask: (asked: Asked) => void): readonly Column<AiSystem>[] {
  const text = evidenceText();
  const columns: Column<AiSystem>[] = [
    {
      title: text.system.name,
      kind: 'grow',
      cell: ({ id, name, description }) => (
        <>
          <Link class="row-link" href={`coverage?aiSystemId=${id}`}>
            <span dir="auto">{name}</span>
          </Link>
          <span class="sub" dir="auto">
            {description ?? id}
          </span>
        </>
      ),
    },
    { title: text.system.riskClass, cell: ({ riskClass }) => riskOf(riskClass) },
    {
      title: text.system.owner,
      kind: 'wide',
      cell: ({ owner }) =>
        owner === null ? (
          <span class="muted">{t.common.none}</span>
        ) : (
          <span dir="auto">{owner}</span>
        ),
    },
    {
      title: text.system.changed,
      kind: 'wide',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ];
  if (!may('ai_systems:write')) return columns;
  return [
    ...columns,
    {
      title: text.system.actions,
      kind: 'fit',
      cell: (system) => (
        <span class="row">
          <button
            class="btn btn--ghost btn--sm btn--icon"
            type="button"
            title={text.system.edit}
            onClick={() => ask({ act: 'edit', system })}
          >
            <Icon name="edit" />
            <span class="sr">
              {text.system.edit} {system.name}
            </span>
          </button>
          <button
            class="btn btn--ghost btn--sm btn--icon"
            type="button"
            title={text.system.delete}
            onClick={() => ask({ act: 'delete', system })}
          >
            <Icon name="trash" />
            <span class="sr">
              {text.system.delete} {system.name}
            </span>
          </button>
        </span>
      ),
    },
  ];
}

function Edit({
  system,
  onClose,
}: {
  readonly system: AiSystem | null;
  readonly onClose: () => void;
}) {
  const text = evidenceText();
  const queries = useQueryClient();
  const sending = useSending(['name', 'description', 'owner']);
  const [risk, setRisk] = useState<RiskClass | ''>(system?.riskClass ?? '');
  const { unclassified, ...risks } = text.risk;
  const save = async (form: HTMLFormElement) => {
    const { name = '', description = null, owner = null } = fieldsOf(form);
    const body = { name, description, owner, riskClass: risk === '' ? null : risk };
    if (system === null) await api.compliance.createAiSystem(body);
    else await api.compliance.updateAiSystem(system.id, body);
    say(system === null ? text.system.created : text.system.saved);
    await reload(queries);
    onClose();
  };
  return (
    <Dialog title={system === null ? text.system.create : text.system.edit} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void sending.send(() => save(form));
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <Field
            label={text.system.name}
            name="name"
            required
            maxLength={200}
            dir="auto"
            defaultValue={system?.name}
            error={sending.fieldError('name')}
          />
          <Choice
            label={text.system.riskClass}
            values={[['', unclassified], ...(Object.entries(risks) as [RiskClass, string][])]}
            value={risk}
            onChange={setRisk}
          />
          <MoreFields system={system} sending={sending} />
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

function MoreFields({
  system,
  sending,
}: {
  readonly system: AiSystem | null;
  readonly sending: Sending;
}) {
  const text = evidenceText();
  return (
    <>
      <Field
        label={text.system.owner}
        name="owner"
        optional
        maxLength={200}
        dir="auto"
        hint={text.system.ownerHint}
        defaultValue={system?.owner ?? undefined}
        error={sending.fieldError('owner')}
      />
      <TextArea
        label={text.system.description}
        name="description"
        optional
        rows={3}
        maxLength={5_000}
        defaultValue={system?.description ?? undefined}
        error={sending.fieldError('description')}
      />
    </>
  );
}

function Delete({ system, onClose }: { readonly system: AiSystem; readonly onClose: () => void }) {
  const text = evidenceText();
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={text.system.deleteTitle(system.name)}
      lead={sending.error ?? text.system.deleteLead}
      act={text.system.delete}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        if (!(await sending.send(() => api.compliance.deleteAiSystem(system.id)))) return;
        say(text.system.deleted);
        await reload(queries);
        onClose();
      }}
    />
  );
}

/** The coverage follows the AI systems. */
async function reload(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['ai-systems'] }),
    queries.invalidateQueries({ queryKey: ['coverage'] }),
  ]);
}
