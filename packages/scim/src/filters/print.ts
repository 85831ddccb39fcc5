import { printPath } from './path.ts';
import type { AttributePath, CompareValue, Filter } from './types.ts';

/** A filter as text that `parseFilter` parses to the same filter. */
export function printFilter(filter: Filter): string {
  return print(filter, printPath);
}

function print(filter: Filter, nameOf: (path: AttributePath) => string): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters
        .map((part) => {
          const text = print(part, nameOf);
          return part.kind === 'and' || part.kind === 'or' ? `(${text})` : text;
        })
        .join(` ${filter.kind} `);
    case 'not':
      return `not (${print(filter.filter, nameOf)})`;
    case 'present':
      return `${nameOf(filter.path)} pr`;
    case 'compare':
      return `${nameOf(filter.path)} ${filter.operator} ${printValue(filter.value)}`;
    case 'valuePath':
      return `${nameOf(filter.path)}[${print(filter.filter, (path) => path.subAttribute?.name ?? 'value')}]`;
  }
}

function printValue(value: CompareValue): string {
  return JSON.stringify(value);
}
