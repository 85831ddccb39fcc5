import { Argument, Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import type { Run } from '../run.ts';

/** The shells for which there is a script. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell for which there is a script. */
export type Shell = (typeof SHELLS)[number];

const HELP = `
Examples:
  $ source <(probity completion bash)
  $ probity completion zsh > "\${fpath[1]}/_probity"
  $ probity completion fish > ~/.config/fish/completions/probity.fish`;

/** `probity completion`. */
export function completionCommand(run: Run, program: Command): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(
      run(async ({ out }, shell: Shell) => {
        const { completionScript } = await import('./scripts.ts');
        await out.write(completionScript(shell, program));
        return EXIT.ok;
      }),
    );
}
