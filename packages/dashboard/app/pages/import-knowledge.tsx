import type { KnowledgeImport } from '@probity/client';
import { ProbityError } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, withFile } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import { knowledgeText } from '../text/knowledge.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty, Table } from '../ui/data-table.tsx';
import { Forbidden } from '../ui/failure.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { FormError, Submit, useSending } from '../ui/form.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Link } from '../ui/link.tsx';
import { useList } from '../ui/list.ts';
import { Page, Section } from '../ui/page.tsx';

const TYPES = { csv: 'text/csv', json: 'application/json' } as const;
/** A file of 1 GB over a slow line. */
const TIMEOUT_MS = 6 * 3_600_000;
const POLL_MS = 1_000;

/** Imports statements from a file, and lists earlier imports. */
export function ImportKnowledgePage() {
  const text = knowledgeText();
  const [result, setResult] = useState<KnowledgeImport | null>(null);
  return (
    <Page title={text.importTitle} lead={text.importLead}>
      {!may('knowledge:write') ? (
        <Forbidden />
      ) : result === null ? (
        <Upload onResult={setResult} />
      ) : (
        <Result result={result} onAgain={() => setResult(null)} />
      )}
      <Earlier />
    </Page>
  );
}

function Upload({ onResult }: { readonly onResult: (result: KnowledgeImport) => void }) {
  const text = knowledgeText();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [isStrict, setStrict] = useState(false);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const sending = useSending();
  const send = async () => {
    if (file === null) return;
    setRefused([]);
    const ending = file.name.toLowerCase().split('.').at(-1);
    if (ending !== 'csv' && ending !== 'json') throw new Error(text.type);
    const options = { query: { strict: `${isStrict}` }, timeoutMs: TIMEOUT_MS } as const;
    try {
      const { data } = await withFile(file, TYPES[ending]).knowledge.importNuggets([], options);
      onResult(data);
    } catch (error) {
      if (error instanceof ProbityError) setRefused(error.details.map(toRefused));
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['knowledge'] });
      await queries.invalidateQueries({ queryKey: ['knowledge-imports'] });
    }
  };
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send(send);
      }}
    >
      <FormError sending={sending} />
      <RefusedRows rows={refused} />
      <FileDrop
        label={text.file}
        lead={text.drop}
        accept=".csv,.json,text/csv,application/json"
        onFile={setFile}
      />
      <label class="choice">
        <input
          class="tick"
          type="checkbox"
          checked={isStrict}
          onChange={(event) => setStrict(event.currentTarget.checked)}
        />
        <span>
          {text.strict}
          <small class="sub">{text.strictHint}</small>
        </span>
      </label>
      <div class="row">
        <Submit sending={sending}>{text.submit}</Submit>
        {sending.isBusy ? <Progress /> : null}
      </div>
    </form>
  );
}

/** The progress of the newest running import, asked for each second. */
function Progress() {
  const text = knowledgeText();
  const { data } = useQuery({
    queryKey: ['knowledge-progress'],
    queryFn: () => api.knowledge.listImports({ limit: 1 }).page(),
    refetchInterval: POLL_MS,
  });
  const running = data?.items.find(({ status }) => status === 'running');
  return (
    <span class="soft" role="status">
      {running ? text.progress(toNumber(running.rows), toNumber(running.failed)) : null}
    </span>
  );
}

function Result({
  result,
  onAgain,
}: {
  readonly result: KnowledgeImport;
  readonly onAgain: () => void;
}) {
  const text = knowledgeText();
  return (
    <>
      <Section title={text.done}>
        <p class="card card-body" role="status">
          {countsOf(result)}
        </p>
      </Section>
      {result.failed > result.errors.length ? (
        <p class="hint">{text.more(toNumber(result.failed))}</p>
      ) : null}
      <RefusedRows rows={result.errors} />
      <div class="row">
        <button class="btn" type="button" onClick={onAgain}>
          {text.again}
        </button>
        <Link class="btn btn--primary" href="knowledge">
          {text.back}
        </Link>
      </div>
    </>
  );
}

interface Refused {
  readonly line: number | null;
  readonly field: string | null;
  readonly message: string;
}

/** A detail of a refused file begins with the line of the row. */
function toRefused({ field, message }: { field: string; message: string }): Refused {
  const [, line, of = null] = /^line (\d+)(?:: (.*))?$/.exec(field) ?? [];
  return line === undefined
    ? { line: null, field, message }
    : { line: Number(line), field: of, message };
}

function RefusedRows({ rows }: { readonly rows: readonly Refused[] }) {
  const text = knowledgeText();
  if (rows.length === 0) return null;
  const columns: readonly Column<Refused & { readonly id: string }>[] = [
    { title: text.line, cell: ({ line }) => line },
    { title: text.field, cell: ({ field }) => <code>{field}</code> },
    { title: text.problem, cell: ({ message }) => <span dir="auto">{message}</span> },
  ];
  const named = rows.map((row) => ({ ...row, id: `${row.line} ${row.field} ${row.message}` }));
  return (
    <Section title={text.refused} note={text.refusedMore}>
      <Table caption={text.refused} columns={columns} rows={named} />
    </Section>
  );
}

type Counts = Pick<KnowledgeImport, 'created' | 'updated' | 'unchanged' | 'failed'>;

function countsOf({ created, updated, unchanged, failed }: Counts): string {
  const text = knowledgeText();
  return text.counts(toNumber(created), toNumber(updated), toNumber(unchanged), toNumber(failed));
}

type Import = Awaited<ReturnType<typeof api.knowledge.listImports>>['items'][number];

function Earlier() {
  const text = knowledgeText();
  const list = useList(['knowledge-imports'], (page) => api.knowledge.listImports(page));
  const columns: readonly Column<Import>[] = [
    {
      title: text.begun,
      kind: 'grow',
      cell: ({ id, created_at: at, problem }) => (
        <>
          <Time at={at} />
          <span class="sub">{problem ?? id}</span>
        </>
      ),
    },
    { title: text.result, cell: countsOf },
    { title: t.webhook.status, kind: 'fit', cell: ({ status }) => text.status[status] },
  ];
  return (
    <Section title={text.imports}>
      <DataTable
        caption={text.imports}
        columns={columns}
        list={list}
        empty={<Empty title={text.noImports} />}
      />
    </Section>
  );
}
