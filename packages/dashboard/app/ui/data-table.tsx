import type { ComponentChildren } from 'preact';
import { t } from '../text/index.ts';
import { Failure } from './failure.tsx';
import { toNumber } from './format.tsx';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import type { Listed } from './list.ts';

/** A column of a table; the first column names the row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are at the right; `fit` columns take no more than they need; `wide` ones are left out on narrow screens. */
  readonly kind?: 'num' | 'fit' | 'wide' | 'grow';
}

/** Rows that can be chosen. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: ReadonlySet<string>) => void;
  readonly label: (id: string) => string;
}

const CLASSES = { num: 'num', fit: 'fit', wide: 'wide-only', grow: 'grow' } as const;

/** A table of rows with an id: loading, failed, empty, and with its pager where the list has several pages. */
export function DataTable<Row extends { readonly id: string }>({
  caption,
  columns,
  list,
  empty,
  selection,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly list: Listed<Row>;
  readonly empty: ComponentChildren;
  readonly selection?: Selection | undefined;
}) {
  if (list.error) return <Failure error={list.error} retry={list.retry} />;
  if (list.items?.length === 0) return <div class="card">{empty}</div>;
  return (
    <>
      <Table caption={caption} columns={columns} rows={list.items} selection={selection} />
      <Pager list={list} />
    </>
  );
}

/** A table of rows with an id; undefined rows are loading. */
export function Table<Row extends { readonly id: string }>({
  caption,
  columns,
  rows,
  selection,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly selection?: Selection | undefined;
}) {
  return (
    <div class="table-box" aria-busy={rows === undefined}>
      {/* Explicit roles: entries below 45rem change display, which takes the implied ones away. */}
      <table class="table table--stack" role="table">
        <caption class="sr">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection ? <SelectAll selection={selection} rows={rows ?? []} /> : null}
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" role="columnheader" class={kind ? CLASSES[kind] : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows === undefined
            ? [1, 2, 3].map((number) => <Loading key={number} columns={columns.length} />)
            : rows.map((row) => (
                <TableRow key={row.id} row={row} columns={columns} selection={selection} />
              ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Item extends { readonly id: string }>({
  row,
  columns,
  selection,
}: {
  readonly row: Item;
  readonly columns: readonly Column<Item>[];
  readonly selection: Selection | undefined;
}) {
  const [first, ...rest] = columns as [Column<Item>, ...Column<Item>[]];
  const isSelected = selection?.ids.has(row.id) ?? false;
  return (
    <tr role="row" aria-selected={selection ? isSelected : undefined}>
      {selection ? (
        <td role="cell" class="fit">
          <label class="check-cell">
            <input
              class="tick"
              type="checkbox"
              checked={isSelected}
              aria-label={selection.label(row.id)}
              onChange={() => selection.set(toggled(selection.ids, row.id))}
            />
          </label>
        </td>
      ) : null}
      <th scope="row" role="rowheader" class={selection ? 'lead--check grow' : 'lead'}>
        {first.cell(row)}
      </th>
      {rest.map(({ title, kind, cell }) => (
        <td key={title} role="cell" class={kind ? CLASSES[kind] : ''} data-label={title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

function SelectAll({
  selection,
  rows,
}: {
  readonly selection: Selection;
  readonly rows: readonly { readonly id: string }[];
}) {
  const all = rows.map(({ id }) => id);
  const isAll = all.length > 0 && all.every((id) => selection.ids.has(id));
  return (
    <th scope="col" role="columnheader" class="fit">
      <label class="check-cell">
        <input
          class="tick"
          type="checkbox"
          checked={isAll}
          aria-label={t.alert.selectAll}
          onChange={() => selection.set(new Set(isAll ? [] : all))}
        />
      </label>
    </th>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Loading({ columns }: { readonly columns: number }) {
  return (
    <tr role="row">
      {Array.from({ length: columns }, (_, index) => (
        <td role="cell" key={index}>
          <span class="skel skel--l" />
        </td>
      ))}
    </tr>
  );
}

/** Leads to the other pages of a list. */
export function Pager<Item>({ list }: { readonly list: Listed<Item> }) {
  const { items, total, offset, limit } = list;
  if (!items || (offset === 0 && total <= items.length)) return null;
  const to = (start: number) => list.href(start);
  return (
    <nav class="pager" aria-label={t.common.range('', '', '')}>
      <span>
        {t.common.range(toNumber(offset + 1), toNumber(offset + items.length), toNumber(total))}
      </span>
      <span class="row">
        {offset > 0 ? (
          <Link class="btn btn--sm" href={to(Math.max(0, offset - limit))}>
            <Icon name="left" />
            {t.common.newer}
          </Link>
        ) : null}
        {offset + items.length < total ? (
          <Link class="btn btn--sm" href={to(offset + limit)}>
            {t.common.older}
            <Icon name="right" />
          </Link>
        ) : null}
      </span>
    </nav>
  );
}

/** Shown instead of rows: when rows will appear, and the next step. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children ? <div class="row">{children}</div> : null}
    </div>
  );
}
