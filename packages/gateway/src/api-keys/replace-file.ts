import { chownSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces the content of a file at once: a reader sees the old one or the new one. Mode and owner stay, and a link
 * stays a link.
 *
 * @throws Error of the file system; the file is as it was then
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  const { mode, uid, gid } = statSync(target);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, text, { mode: mode & 0o777, flag: 'wx', flush: true });
    const made = statSync(draft);
    if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
