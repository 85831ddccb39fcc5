import type { ShownDocument } from './document.ts';
import type { Html } from './html.ts';
import { html, prose, staticPagePolicy, trusted } from './html.ts';
import type { LocatedOperation } from './operations.ts';
import { operationView, webhookView } from './operations.ts';
import { schemaView } from './schemas.ts';
import { STYLE } from './style.ts';

/** A page and the headers that it is sent with. */
export interface ReferencePage {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page has no scripts and loads nothing; its own style sheet is the one that is allowed. */
const HEADERS = Object.freeze({
  'Content-Security-Policy': staticPagePolicy(STYLE),
  'Referrer-Policy': 'no-referrer',
});

/** Renders the reference page of an OpenAPI document: one page of HTML that loads nothing. */
export function createReferencePage(openapi: object, openApiUrl: string): ReferencePage {
  const document = openapi as ShownDocument;
  const { title, version, description = '' } = document.info;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API reference</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${navigation(document)}
<main>
<h1>${title} API ${version}</h1>
<p>${prose(description)}</p>
<p>For tools: <a href="${openApiUrl}">OpenAPI 3.1 document</a>.</p>
${document.tags.map(({ name, description: text = '' }) => section(name, text, document))}
${webhookSection(document)}
${schemaSection(document)}
</main>
</body>
</html>
`;
  return { bytes: Buffer.from(markup), headers: HEADERS };
}

function operationsOf({ paths }: ShownDocument, tag: string): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function webhooksOf({ webhooks = {} }: ShownDocument): LocatedOperation[] {
  return Object.entries(webhooks).map(([path, { post }]) => ({
    method: 'post',
    path,
    operation: post,
  }));
}

function navigation(document: ShownDocument): Html {
  const events = webhooksOf(document);
  return html`<nav aria-label="Contents">
${document.tags.map(({ name }) => links(name, operationsOf(document, name)))}
${events.length > 0 ? links('Events', events) : null}
<p><a href="#schemas">Schemas</a></p>
</nav>`;
}

function links(title: string, operations: readonly LocatedOperation[]): Html {
  const items = operations.map(
    ({ operation: { operationId, summary } }) =>
      html`<li><a href="#${operationId}">${summary}</a></li>`,
  );
  return html`<details open><summary>${title}</summary><ul>${items}</ul></details>`;
}

function section(name: string, description: string, document: ShownDocument): Html {
  return html`<section><h2>${name}</h2><p>${prose(description)}</p>
${operationsOf(document, name).map((each) => operationView(each, document))}</section>`;
}

function webhookSection(document: ShownDocument): Html | null {
  const events = webhooksOf(document);
  if (events.length === 0) return null;
  return html`<section><h2>Events</h2>
<p>Requests that are sent to the addresses of webhooks.</p>
${events.map((each) => webhookView(each, document))}</section>`;
}

function schemaSection({ components: { schemas = {} } }: ShownDocument): Html {
  const views = Object.entries(schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3>${name}</h3>${schemaView(schema)}</article>`,
  );
  return html`<section id="schemas"><h2>Schemas</h2>${views}</section>`;
}
