import type { FoundNugget, Nugget } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import { knowledgeText } from '../text/knowledge.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Filters } from '../ui/filters.tsx';
import { Field, FormError, fieldsOf, Submit, TextArea, useSending } from '../ui/form.tsx';
import { Time, toScore } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useFilters, useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

type Listed = Nugget & Partial<Pick<FoundNugget, 'similarity'>>;
type Asked = { readonly act: 'add' } | { readonly act: 'edit' | 'delete'; readonly nugget: Nugget };

/** The statements of the knowledge base, all of them or the nearest to a search. */
export function KnowledgePage() {
  const text = knowledgeText();
  const { filters } = useFilters();
  const { q } = filters;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const list = useList<Listed>(['knowledge'], (page) =>
    q ? api.knowledge.searchNuggets({ q, ...page }) : api.knowledge.listNuggets(page),
  );
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={may('knowledge:write') ? <Acts onAdd={() => setAsked({ act: 'add' })} /> : null}
    >
      <Filters searchable filters={[]} />
      {q ? <p class="hint">{text.searchHint}</p> : null}
      <DataTable
        caption={text.title}
        columns={columnsWith(setAsked, q !== undefined)}
        list={list}
        empty={<Empty title={q ? text.emptyFiltered : text.empty} />}
      />
      {asked === null ? null : asked.act === 'delete' ? (
        <Delete nugget={asked.nugget} onClose={close} />
      ) : (
        <Edit nugget={asked.act === 'edit' ? asked.nugget : null} onClose={close} />
      )}
    </Page>
  );
}

function Acts({ onAdd }: { readonly onAdd: () => void }) {
  const text = knowledgeText();
  return (
    <>
      <Link class="btn" href="knowledge/import">
        <Icon name="upload" />
        {text.import}
      </Link>
      <button class="btn btn--primary" type="button" onClick={onAdd}>
        <Icon name="plus" />
        {text.add}
      </button>
    </>
  );
}

function columnsWith(ask: (asked: Asked) => void, isSearch: boolean): readonly Column<Listed>[] {
  const text = knowledgeText();
  const none = <span class="muted">{t.common.none}</span>;
  const columns: Column<Listed>[] = [
    {
      title: text.statement,
      kind: 'grow',
      cell: ({ claim, source_url: source }) => (
        <>
          <span class="strong" dir="auto">
            {claim}
          </span>
          <span class="sub" dir="auto">
            {source}
          </span>
        </>
      ),
    },
    {
      title: text.category,
      kind: 'wide',
      cell: ({ category }) => (category === null ? none : <span dir="auto">{category}</span>),
    },
    {
      title: text.confidence,
      kind: 'num',
      cell: ({ confidence }) => (confidence === null ? none : toScore(confidence)),
    },
    { title: text.changed, kind: 'wide', cell: ({ updated_at: at }) => <Time at={at} /> },
  ];
  if (isSearch) {
    columns.splice(1, 0, {
      title: text.similarity,
      kind: 'num',
      cell: ({ similarity = 0 }) => toScore(similarity),
    });
  }
  if (!may('knowledge:write')) return columns;
  const acts = [
    ['edit', 'edit', text.edit],
    ['delete', 'trash', text.delete],
  ] as const;
  columns.push({
    title: text.actions,
    kind: 'fit',
    cell: (nugget) => (
      <span class="row nowrap">
        {acts.map(([act, icon, title]) => (
          <button
            class="btn btn--ghost btn--sm btn--icon"
            type="button"
            key={act}
            title={title}
            onClick={() => ask({ act, nugget })}
          >
            <Icon name={icon} />
            <span class="sr">
              {title}: {nugget.claim}
            </span>
          </button>
        ))}
      </span>
    ),
  });
  return columns;
}

const FIELDS = ['claim', 'source_url', 'category', 'confidence'] as const;

function Edit({
  nugget,
  onClose,
}: {
  readonly nugget: Nugget | null;
  readonly onClose: () => void;
}) {
  const text = knowledgeText();
  const queries = useQueryClient();
  const sending = useSending(FIELDS);
  const save = async (form: HTMLFormElement) => {
    const fields = fieldsOf(form);
    const { claim = '', source_url = '', category = null, confidence = null } = fields;
    const body = { claim, source_url, category, confidence };
    if (nugget === null) await api.knowledge.createNugget(body);
    else await api.knowledge.updateNugget(nugget.id, body);
    say(nugget === null ? text.added : text.saved);
    await queries.invalidateQueries({ queryKey: ['knowledge'] });
    onClose();
  };
  const inputs = [
    ['source_url', text.source, text.sourceHint, 2_048],
    ['category', text.category, undefined, 200],
    ['confidence', text.confidence, text.confidenceHint, 20],
  ] as const;
  return (
    <Dialog title={nugget === null ? text.add : text.edit} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void sending.send(() => save(form));
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <TextArea
            label={text.statement}
            name="claim"
            required
            rows={3}
            maxLength={4_000}
            defaultValue={nugget?.claim}
            error={sending.fieldError('claim')}
          />
          {inputs.map(([name, label, hint, maxLength]) => (
            <Field
              key={name}
              {...{ label, name, hint, maxLength }}
              required={name === 'source_url'}
              optional={name !== 'source_url'}
              dir="auto"
              defaultValue={nugget?.[name] ?? undefined}
              error={sending.fieldError(name)}
            />
          ))}
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

function Delete({ nugget, onClose }: { readonly nugget: Nugget; readonly onClose: () => void }) {
  const text = knowledgeText();
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={text.delete}
      lead={sending.error ?? `${nugget.claim} ${text.deleteLead}`}
      act={text.delete}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        if (!(await sending.send(() => api.knowledge.deleteNugget(nugget.id)))) return;
        say(text.deleted);
        await queries.invalidateQueries({ queryKey: ['knowledge'] });
        onClose();
      }}
    />
  );
}
