/** Where something stands in a file, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The keys that lead to a value: names, and numbers in lists. */
export type KeyPath = readonly (string | number)[];

/** What is wrong with a file, or worth saying. */
export interface Issue extends Place {
  readonly severity: 'error' | 'warning';
  /** `a.b[0].c`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Where a file begins. */
export const START: Place = Object.freeze({ line: 1, column: 1 });

const PLAIN = /^[\w-]+$/;

/** `scanning.stages[0].name`; names that are no plain words are quoted. */
export function toPathText(path: KeyPath): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = PLAIN.test(part) ? part : JSON.stringify(part).slice(0, 80);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** An error at a place. */
export function errorAt({ line, column }: Place, path: KeyPath, message: string): Issue {
  return { severity: 'error', path: toPathText(path), message, line, column };
}

/** A warning at a place. */
export function warningAt({ line, column }: Place, path: KeyPath, message: string): Issue {
  return { severity: 'warning', path: toPathText(path), message, line, column };
}

/** `FILE:LINE:COL: path: message`, as compilers write it. */
export function formatIssue(file: string, issue: Issue): string {
  const { line, column, severity, path, message } = issue;
  const kind = severity === 'warning' ? ' warning:' : '';
  return `${file}:${line}:${column}:${kind} ${path === '' ? '' : `${path}: `}${message}`;
}

/** In the order of the file. */
export function sortIssues(issues: readonly Issue[]): Issue[] {
  return [...issues].sort((left, right) => left.line - right.line || left.column - right.column);
}
