import type { SqlDialect } from '@probity/core/sql';

/** A part of a statement; each `?` stands for a parameter, and nothing else contains one. */
export interface Fragment {
  readonly text: string;
  readonly parameters: ReadonlyArray<string | number>;
}

/** Builds a part of a statement: other parts are inserted, all other values become parameters. */
export function fragment(
  strings: TemplateStringsArray,
  ...values: ReadonlyArray<Fragment | string | number>
): Fragment {
  let text = strings[0] ?? '';
  const parameters: Array<string | number> = [];
  values.forEach((value, index) => {
    if (typeof value === 'object') {
      text += value.text;
      parameters.push(...value.parameters);
    } else {
      text += '?';
      parameters.push(value);
    }
    text += strings[index + 1];
  });
  return { text, parameters };
}

/** A part without parameters. @throws Error when the text contains `?` */
export function rawFragment(text: string): Fragment {
  if (text.includes('?')) throw new Error(`The text contains a place of a parameter: ${text}`);
  return { text, parameters: [] };
}

/** A text as a literal. */
export function literal(text: string): Fragment {
  return rawFragment(`'${text.replaceAll("'", "''")}'`);
}

/** What follows an expression that is one of some values. */
export function isOneOf(values: readonly string[]): Fragment {
  const places = values.map(() => '?').join(', ');
  return { text: values.length === 1 ? '= ?' : `in (${places})`, parameters: values };
}

/** Combines conditions, each in parentheses. */
export function joinConditions(
  conditions: readonly Fragment[],
  operator: 'and' | 'or' | 'union',
): Fragment {
  const texts = conditions.map(({ text }) => (operator === 'union' ? text : `(${text})`));
  return {
    text: texts.join(` ${operator} `),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/** The text of a statement with the placeholders of the database. */
export function toStatementText({ text }: Fragment, dialect: SqlDialect): string {
  if (dialect === 'sqlite') return text;
  let count = 0;
  return text.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}
