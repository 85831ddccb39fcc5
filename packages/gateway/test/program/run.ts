import { fileURLToPath } from 'node:url';
import type { Program, ProgramOptions } from '@probity/test-support';
import { spawnProgram } from '@probity/test-support';

/** The program as npm links it. */
export const PROGRAM = fileURLToPath(new URL('../../../bin/probity-gateway.js', import.meta.url));

/** Starts `probity-gateway`. */
export function start(args: readonly string[], options?: ProgramOptions): Promise<Program> {
  return spawnProgram(process.execPath, [PROGRAM, ...args], options);
}

/** Runs it to its end. */
export async function run(args: readonly string[], options?: ProgramOptions) {
  const program = await start(args, options);
  const code = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
