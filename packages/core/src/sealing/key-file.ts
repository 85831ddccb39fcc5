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
import { parseEncryptionKeys } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';

/** A file of encryption keys, one a line in base64; the first seals. */
export interface KeyFile {
  readonly path: string;
  /**
   * The keys that are in the file now; null when there is no file. The same array as before while
   * the file is the same.
   *
   * @throws ProbityError `conflict` that names the file when it holds no keys or cannot be read
   */
  read(): readonly Uint8Array[] | null;
  /**
   * Makes the file with a new key, for its owner only, unless it is there; answers its keys. Of
   * several processes that do it at once one makes the file and all use it.
   *
   * @throws ProbityError `conflict` that names the file when it cannot be written
   */
  create(): readonly Uint8Array[];
  /** Puts other keys in place of those in the file, durably and in one step. */
  replace(keys: readonly Uint8Array[]): void;
  /** Answers the present keys at every call, or the last ones known while the file cannot be read. */
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
      // A path through a file that is no folder: opening the database says so better.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw unusable(`The encryption key in ${path} cannot be used`, error);
    }
  }

  return {
    path,
    read,
    create() {
      try {
        // Linking a finished file is atomic: nobody reads half a key, and the second to come fails.
        withDraft(path, [random(32)], (draft) => linkSync(draft, path));
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') {
          throw unusable(`The key file ${path} cannot be made`, error);
        }
      }
      const made = read();
      if (!made) throw new ProbityError('conflict', `The key file ${path} vanished again`);
      return made;
    },
    replace(next) {
      try {
        withDraft(path, next, (draft) => renameSync(draft, path));
      } catch (error) {
        throw unusable(`The key file ${path} cannot be written`, error);
      }
    },
    follow() {
      let last = read() ?? [];
      return () => {
        try {
          last = read() ?? last;
        } catch {
          // A running process goes on with what it has; the next start says what is wrong.
        }
        return last;
      };
    },
  };
}

/** Writes the keys to a file beside `path`, hands it over, and makes what became of it durable. */
function withDraft(
  path: string,
  keys: readonly Uint8Array[],
  place: (draft: string) => void,
): void {
  const draft = `${path}.${process.pid}`;
  const lines = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`);
  try {
    writeFileSync(draft, lines.join(''), { mode: 0o600, flush: true });
    place(draft);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes names that were made or changed in a folder survive a power cut. */
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
