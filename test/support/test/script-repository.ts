import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnProgram } from '../src/process.ts';
import type { TestLifetime } from '../src/temporary-folder.ts';
import { temporaryFolder } from '../src/temporary-folder.ts';

/** Absolute path of this repository. */
export const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Texts of files by their paths. */
export type Files = Readonly<Record<string, string>>;

/** A git repository with the scripts of this one and the given files. */
export function makeRepository(files: Files, t: TestLifetime): string {
  const { path } = temporaryFolder(t);
  cpSync(join(repository, 'scripts'), join(path, 'scripts'), { recursive: true });
  mkdirSync(join(path, 'test'));
  for (const folder of ['node_modules', 'test/support']) {
    symlinkSync(join(repository, folder), join(path, folder));
  }
  const ignored = { '.gitignore': 'node_modules\nscripts\ntest/support\ndist\n' };
  for (const [name, text] of Object.entries({ ...ignored, ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: path });
  return path;
}

/** The result of a program. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a Node program in a folder. */
export async function runScript(folder: string, args: readonly string[]): Promise<Outcome> {
  const program = await spawnProgram(process.execPath, args, { cwd: folder });
  const code = await program.exited;
  return { code, output: program.stdout + program.stderr };
}
