import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page: its title in the window too, one sentence at most, its acts at the right. */
export function Page({
  title,
  badge,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly badge?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Probity`;
  }, [title]);
  return (
    <div class="page">
      <header class="head">
        <div class="head-text">
          <div class="row">
            <h1 dir="auto">{title}</h1>
            {badge}
          </div>
          {lead ? <p>{lead}</p> : null}
        </div>
        {actions ? <div class="head-actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its heading. */
export function Section({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="stack stack--tight">
      <div class="section-head">
        <h2>{title}</h2>
        {note ? <p>{note}</p> : null}
      </div>
      {children}
    </section>
  );
}

/** Facts by name, at the right of a detail page. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[];
}) {
  return (
    <dl class="kv">
      {facts.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
