import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import { parseEncryptionKeys, toKeyId } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';

/** A file of encryption keys, one per line in base64; the first seals. */
export interface KeyFile {
  readonly path: string;
  /**
   * The keys currently in the file; null when there is no file. Returns the same array while the
   * file is unchanged.
   *
   * @throws ProbityError `conflict` that names the file when it contains no keys or is unreadable
   */
  read(): readonly Uint8Array[] | null;
  /**
   * Creates the file with a new key, readable only by its owner, unless it exists; returns its
   * keys. Of several concurrent processes one creates the file and all use it.
   *
   * @throws ProbityError `conflict` that names the file when it cannot be written
   */
  create(): readonly Uint8Array[];
  /** Replaces the keys in the file, durably and atomically. */
  replace(keys: readonly Uint8Array[]): void;
  /**
   * Stores a former key, which backups need, beside the file as `<path>.<key id>`, readable only by its
   * owner; returns the path.
   */
  keep(key: Uint8Array): string;
  /**
   * Returns the current keys at every call, or the last known ones while the file is unreadable.
   */
  follow(): () => readonly Uint8Array[];
}

/** The key file at a path. */
export function createKeyFile(path: string, random: Random = systemRandom): KeyFile {
  let version = '';
  let keys: readonly Uint8Array[] | null = null;

  function read(): readonly Uint8Array[] | null {
    try {
      const { ino, mtimeNs, size } = statSync(path, { bigint: true });
      const found = `${ino} ${mtimeNs} ${size}`;
      if (found !== version || !keys) keys = parseEncryptionKeys(readFileSync(path, 'utf8'));
      version = found;
      return keys;
    } catch (error) {
      // A path below a regular file: opening the database reports it more clearly.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw unusable(`The encryption key in ${path} cannot be used`, error);
    }
  }

  return {
    path,
    read,
    create() {
      try {
        // Linking a finished file is atomic: a partial key is never read, and the second link
        // fails.
        withDraft(path, [random(32)], (draft) => linkSync(draft, path));
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') {
          throw unusable(`The key file ${path} cannot be created`, error);
        }
      }
      const made = read();
      if (!made)
        throw new ProbityError(
          'conflict',
          `The key file ${path} was deleted while it was being created`,
        );
      return made;
    },
    replace(next) {
      try {
        withDraft(path, next, (draft) => renameSync(draft, path));
      } catch (error) {
        throw unusable(`The key file ${path} cannot be written`, error);
      }
    },
    keep(key) {
      const kept = `${path}.${toKeyId(key)}`;
      try {
        withDraft(path, [key], (draft) => renameSync(draft, kept));
      } catch (error) {
        throw unusable(`The former key cannot be kept in ${kept}`, error);
      }
      return kept;
    },
    follow() {
      let last = read() ?? [];
      return () => {
        try {
          last = read() ?? last;
        } catch {
          // A running process keeps its keys; the next start reports the fault.
        }
        return last;
      };
    },
  };
}

/** Writes the keys to a file beside `path`, passes it on, and makes the result durable. */
function withDraft(
  path: string,
  keys: readonly Uint8Array[],
  place: (draft: string) => void,
): void {
  // Not the process id: in containers that share a volume it is often the same.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const lines = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`);
  try {
    writeFileSync(draft, lines.join(''), { mode: 0o600, flag: 'wx', flush: true });
    place(draft);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes new and changed names in a folder survive a power failure. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function unusable(problem: string, error: unknown): ProbityError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ProbityError('conflict', `${problem}: ${reason}`, { cause: error });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
