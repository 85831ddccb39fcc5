import type { Schema } from './document.ts';
import { nameOf } from './document.ts';
import type { Html } from './html.ts';
import { html, joined, prose } from './html.ts';

/** The type of a schema in a few words, with links to named schemas. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, items, enum: values } = schema;
  if ($ref !== undefined) return linkTo({ $ref });
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (values) {
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' | ',
    );
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return joined(alternatives.map(typeOf), ' | ');
  if (type === 'array') return html`list of ${items ? typeOf(items) : 'any values'}`;
  if (type === undefined) return html`any value`;
  return html`${typeof type === 'string' ? type : type.join(' | ')}`;
}

function linkTo(reference: { readonly $ref: string }): Html {
  const name = nameOf(reference);
  return html`<a href="#schema-${name}">${name}</a>`;
}

/** Words for keywords that restrict values. */
const RESTRICTIONS: Readonly<Record<string, string>> = {
  format: 'format',
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'shortest',
  maxLength: 'longest',
  minItems: 'fewest items',
  maxItems: 'most items',
  pattern: 'pattern',
  default: 'default',
};

/** What a schema says about values besides their type. */
export function restrictionsOf(schema: Schema): Html {
  const stated = Object.entries(RESTRICTIONS).filter(([keyword]) => schema[keyword] !== undefined);
  const pieces = stated.map(
    ([keyword, words]) => html`${words} <code>${String(schema[keyword])}</code>`,
  );
  return joined(pieces, ', ');
}

/** Rows of a table of the members, those of inner objects below the member that has them. */
function rowsOf({ properties = {}, required = [] }: Schema, path: string): Html[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = member.type === 'array' ? (member.items ?? {}) : member;
    const row = html`<tr>
<td><code>${path}${name}</code>${required.includes(name) ? html`<em>required</em>` : null}</td>
<td>${typeOf(member)}</td>
<td>${prose(member.description ?? '')} ${restrictionsOf(member)}</td>
</tr>`;
    return [row, ...rowsOf(inner, `${path}${name}.`)];
  });
}

/** A schema as its type, or as a table of its members. */
export function schemaView(schema: Schema): Html {
  const rows = rowsOf(schema, '');
  const members =
    rows.length === 0
      ? html`<p>Type: ${typeOf(schema)} ${restrictionsOf(schema)}</p>`
      : html`<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  const { description } = schema;
  return html`${description ? html`<p class="text">${prose(description)}</p>` : null}${members}`;
}
