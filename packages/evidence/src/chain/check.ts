import { isDeepStrictEqual } from 'node:util';
import { runOf } from '../trend/run.ts';
import { hashContent, hashLinks } from './form.ts';
import type { StoredNode } from './storage.ts';

/** Whether what is stored of a record is what its node, or the last amendment of it, proves. */
export function isRecordIntact(node: StoredNode): boolean {
  const { record } = node;
  if (!record) return false;
  try {
    return (
      record.organizationId === node.organizationId &&
      record.sequence === node.sequence &&
      record.createdAt.getTime() === node.createdAt.getTime() &&
      hashContent(record) === node.contentHash &&
      hashLinks(record) === linksHashOf(node)
    );
  } catch {
    // Content that cannot be hashed, such as JSON nested too deeply, was changed.
    return false;
  }
}

function linksHashOf({ id, linksHash, record, amendment }: StoredNode): string | null {
  if (record?.amendment == null) return linksHash;
  return amendment?.amends === id ? amendment.linksHash : null;
}

/** Whether the record that an amendment is of, where it is kept, has this amendment or a later one. */
export function isAmendmentKept({ sequence, amended }: StoredNode): boolean {
  return !amended || (amended.amendment ?? 0) >= sequence;
}

/** Whether lists and trends find the record by what it says. */
export function isIndexIntact({ record, index }: StoredNode): boolean {
  if (!record || !index) return true;
  const { labels, run } = index;
  const names = Object.keys(record.labels);
  return (
    labels !== null &&
    labels.length === names.length &&
    labels.every(
      ([name, value]) => Object.hasOwn(record.labels, name) && record.labels[name] === value,
    ) &&
    isDeepStrictEqual(run, runOf(record))
  );
}
