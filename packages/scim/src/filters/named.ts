import type { Filter } from './types.ts';

/** Whether a filter names an attribute of the resource type's own schema. */
export function namesAttribute(filter: Filter, name: string): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some((part) => namesAttribute(part, name));
    case 'not':
      return namesAttribute(filter.filter, name);
    default:
      return filter.path.extension === null && filter.path.attribute.name === name;
  }
}
