import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import type { Shell } from './command.ts';
import { fishScript } from './fish.ts';
import type { CompletedCommand } from './tree.ts';
import { completedCommand } from './tree.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<Shell, (program: CompletedCommand) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script that completes the program in a shell. */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](completedCommand(program));
}
