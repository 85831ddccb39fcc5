import type {
  Content,
  Media,
  ShownDocument,
  ShownOperation,
  ShownParameter,
  ShownResponse,
} from './document.ts';
import { resolve } from './document.ts';
import type { Html } from './html.ts';
import { html, prose } from './html.ts';
import { restrictionsOf, schemaView, typeOf } from './schemas.ts';

/** An operation and where it is in the document. */
export interface LocatedOperation {
  readonly method: string;
  /** The path, or the name of an event. */
  readonly path: string;
  readonly operation: ShownOperation;
}

/** One operation with its parameters, bodies, responses and a call. */
export function operationView(located: LocatedOperation, document: ShownDocument): Html {
  const { method, path, operation } = located;
  const { operationId, summary, description = '', deprecated } = operation;
  return html`<article id="${operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p><strong>${summary}.</strong>${deprecated ? ' Deprecated.' : null} ${prose(description)}</p>
<p class="note">${accessOf(operation)}</p>
${parametersView(operation, document)}
${bodyView('Request', operation.requestBody?.content)}
${callView(located, document)}
${Object.entries(operation.responses).map(([status, response]) =>
  responseView(status, resolve(document, 'responses', response)),
)}
</article>`;
}

/** One request that the service sends. */
export function webhookView({ path, operation }: LocatedOperation, document: ShownDocument): Html {
  const { operationId, description = '' } = operation;
  return html`<article id="${operationId}">
<h3><span class="method event">EVENT</span> <code>${path}</code></h3>
<p>${prose(description)}</p>
${parametersView(operation, document)}
${bodyView('Request to your address', operation.requestBody?.content)}
</article>`;
}

function accessOf(operation: ShownOperation): Html {
  const { security, 'x-permission': permission, 'x-scope': scope } = operation;
  if (security.length === 0) return html`Needs no credential.`;
  return html`Needs a credential${permission ? html` with the permission <code>${permission}</code>` : null}.
${scope ? html`One of limited scope needs the scope <code>${scope}</code>.` : null}`;
}

function parametersView({ parameters }: ShownOperation, document: ShownDocument): Html | null {
  if (parameters.length === 0) return null;
  const shown = parameters.map((each) => resolve<ShownParameter>(document, 'parameters', each));
  return html`<h4>Parameters</h4>
<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${shown.map(parameterView)}</tbody></table>`;
}

function parameterView({ name, in: place, required, description, schema }: ShownParameter): Html {
  const text = description ?? schema.description ?? '';
  return html`<tr>
<td><code>${name}</code>${required ? html`<em>required</em>` : null}</td>
<td>${place}</td><td>${typeOf(schema)}</td><td>${prose(text)} ${restrictionsOf(schema)}</td>
</tr>`;
}

function bodyView(title: string, content: Content = {}): Html | null {
  const [entry] = Object.entries(content);
  if (!entry) return null;
  const [type, media] = entry;
  return html`<h4>${title} <span class="type">${type}</span></h4>
${contentView(media)}`;
}

function contentView({ schema = {}, example }: Media): Html {
  const isEmpty = Object.keys(schema).length === 0;
  return html`${isEmpty ? null : schemaView(schema)}${exampleView(example)}`;
}

function exampleView(example: unknown): Html | null {
  return example === undefined ? null : html`<pre>${JSON.stringify(example, null, 2)}</pre>`;
}

/** Successes open, errors closed, since most readers look for the former. */
function responseView(status: string, { description, content = {} }: ShownResponse): Html {
  const [entry] = Object.entries(content);
  const isSuccess = status < '300';
  const title = html`<b>${status}</b> ${description}`;
  if (!entry || !(isSuccess || 'example' in entry[1])) {
    return html`<p class="response">${title}</p>`;
  }
  const [type, media] = entry;
  return html`<details${isSuccess ? html` open` : null}>
<summary class="response">${title} <span class="type">${type}</span></summary>
${contentView(media)}</details>`;
}

/** A call in the shell, with the example as its body. */
function callView({ method, path, operation }: LocatedOperation, { servers }: ShownDocument): Html {
  const url = `${servers?.[0]?.url ?? ''}${path}`;
  const media = Object.entries(operation.requestBody?.content ?? {})[0];
  const lines = [
    `curl -X ${method.toUpperCase()} ${quoted(url)}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $PROBITY_API_KEY"'] : []),
    ...(media ? [`-H ${quoted(`Content-Type: ${media[0]}`)}`] : []),
    ...(media?.[1].example === undefined ? [] : [`-d ${quoted(JSON.stringify(media[1].example))}`]),
  ];
  return html`<pre class="call">${lines.join(' \\\n  ')}</pre>`;
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
