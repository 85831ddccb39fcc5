import { fileURLToPath } from 'node:url';
import type { Program, ProgramOptions } from '@probity/test-support';
import { spawnProgram } from '@probity/test-support';
import { main } from '../../src/main.ts';

/** The program as npm links it. */
export const PROGRAM = fileURLToPath(new URL('../../../bin/probity-gateway.js', import.meta.url));

/** Starts `probity-gateway`. */
export function start(args: readonly string[], options?: ProgramOptions): Promise<Program> {
  return spawnProgram(process.execPath, [PROGRAM, ...args], options);
}

/** Runs it to its end in a separate process. */
export async function runProgram(args: readonly string[], options?: ProgramOptions) {
  const program = await start(args, options);
  const code = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** Runs a command that does not serve, in this process: a program takes a second to start. */
export async function run(
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
) {
  let stdout = '';
  let stderr = '';
  const code = await main(args, {
    env,
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
