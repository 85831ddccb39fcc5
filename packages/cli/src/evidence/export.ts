import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Download, ExportEvidenceQuery } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { CommandFailure } from '../failure.ts';
import { reasonOf, usageFailure } from '../failure.ts';
import { openSession } from '../server/session.ts';
import { createProgressLine } from '../terminal/progress.ts';
import type { EvidenceFilterFlags } from './list.ts';
import { toEvidenceFilter } from './list.ts';

/** Flags of `probity evidence export`. */
export interface EvidenceExportFlags extends EvidenceFilterFlags {
  readonly format: 'jsonl' | 'csv' | 'json' | 'oscal';
  readonly rows?: 'records' | 'obligations';
  readonly output?: string;
}

/** Writes an export of the evidence to standard output as it arrives, or to a file. */
export async function exportEvidence(
  flags: EvidenceExportFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { format, rows } = flags;
  const query = { ...toEvidenceFilter(flags), format, rows } as ExportEvidenceQuery;
  const { client } = await openSession(flags, context);
  const download = () => client.compliance.exportEvidence(query, { signal: context.signal });
  if (flags.output !== undefined && flags.output !== '-') {
    await writeFile(flags.output, download, context);
    return EXIT.ok;
  }
  const { out } = context;
  // A byte order mark is part of the file.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of await download()) {
    await out.write(decoder.decode(chunk, { stream: true }));
    if (out.isClosed) return EXIT.ok;
  }
  await out.write(decoder.decode());
  return EXIT.ok;
}

/**
 * The file that a name leads to, over symbolic links.
 * @throws CommandFailure for a folder or a device, which must not be replaced
 */
async function targetOf(name: string): Promise<string> {
  const path = await realpath(name).catch(() => null);
  if (path === null) return name;
  if ((await stat(path)).isFile()) return path;
  throw usageFailure(`--output: ${name} is no file; without --output, standard output is used`);
}

/** A file that is there is replaced when the export has arrived whole. */
async function writeFile(
  name: string,
  download: () => Promise<Download>,
  { err }: CommandContext,
): Promise<void> {
  const path = await targetOf(name);
  const part = `${path}.${process.pid}.part`;
  const progress = createProgressLine(err);
  // Before the request: a folder that does not exist is told at once.
  const file = await open(part, 'wx').catch((error: unknown) => {
    throw outputFailure(name, error);
  });
  try {
    let length = 0;
    for await (const chunk of await download()) {
      await file.writeFile(chunk);
      length += chunk.length;
      progress.show(`received ${(length / 1_048_576).toFixed(1)} MiB`);
    }
    await file.sync();
    await file.close();
    await rename(part, path);
    progress.clear();
    await err.write(`${name}: ${length.toLocaleString('en-US')} bytes\n`);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error instanceof Error && 'syscall' in error ? outputFailure(name, error) : error;
  } finally {
    progress.clear();
  }
}

function outputFailure(path: string, error: unknown): CommandFailure {
  const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isAbsent ? 'no such folder' : reasonOf(error);
  return usageFailure(`--output: cannot write ${path}: ${reason}`, error);
}
