import { ProbityError } from '@probity/core';
import { checkJsonValue } from '@probity/core/internal';
import { newNugget } from '../nuggets/input.ts';
import type { ReadRow, RefusedRow } from './types.ts';

/** Columns of a CSV file (specification, "Knowledge base nugget"), the required ones first. */
export const COLUMNS = ['claim', 'source_url', 'category', 'confidence', 'created_at'] as const;
/** Columns that a CSV file must have. */
export const REQUIRED_COLUMNS: readonly string[] = COLUMNS.slice(0, 2);

/** Checks a row in the members of the specification. */
export function readRow(line: number, value: unknown): ReadRow {
  const unreadable = findUnreadable(value);
  if (unreadable) return { line, faults: [{ line, ...unreadable }] };
  const parsed = newNugget.safeParse(value);
  if (parsed.success) {
    const { source_url: sourceUrl, created_at: createdAt, ...fields } = parsed.data;
    const given = createdAt === undefined ? {} : { createdAt: new Date(createdAt) };
    return { line, nugget: { ...fields, ...given, sourceUrl } };
  }
  return { line, faults: faultsOf(line, value, parsed.error.issues) };
}

type Issues = NonNullable<ReturnType<typeof newNugget.safeParse>['error']>['issues'];

function faultsOf(line: number, value: unknown, issues: Issues): RefusedRow[] {
  const faults: RefusedRow[] = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const field of issue.keys.slice(0, 10)) {
        faults.push({ line, field, message: 'is not a known field' });
      }
      continue;
    }
    const [field] = issue.path.map(String);
    if (field === undefined) {
      faults.push({ line, field: null, message: 'must be an object with claim and source_url' });
      continue;
    }
    const isMissing = !Object.hasOwn(value as object, field);
    faults.push({ line, field, message: isMissing ? 'is required' : issue.message });
  }
  return faults;
}

/** What cannot be stored on every database, such as U+0000. */
function findUnreadable(value: unknown): Pick<RefusedRow, 'field' | 'message'> | undefined {
  try {
    checkJsonValue(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProbityError)) throw error;
    const [detail] = error.details ?? [];
    return { field: detail?.field || null, message: detail?.message ?? error.message };
  }
}
