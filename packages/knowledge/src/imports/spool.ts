import type { FileHandle } from 'node:fs/promises';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoodRow } from './batch-import.ts';

/** Rows that are kept until the last one has arrived, in a file that nobody else can read. */
export interface Spool {
  write(rows: readonly GoodRow[]): Promise<void>;
  /** The rows that were written, in batches of at most `size`. */
  read(size: number): AsyncGenerator<GoodRow[]>;
  close(): Promise<void>;
}

/** Opens a spool in the folder for temporary files; `close` removes it. */
export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'probity-import-'));
  const path = join(folder, 'rows.jsonl');
  const file: FileHandle = await open(path, 'wx+', 0o600);
  return {
    async write(rows) {
      await file.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    },
    async *read(size) {
      let batch: GoodRow[] = [];
      for await (const line of file.readLines({ start: 0, autoClose: false })) {
        batch.push(revive(JSON.parse(line) as GoodRow));
        if (batch.length < size) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async close() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function revive({ line, nugget: { createdAt, ...fields } }: GoodRow): GoodRow {
  const given = createdAt === undefined ? {} : { createdAt: new Date(createdAt) };
  return { line, nugget: { ...fields, ...given } };
}
