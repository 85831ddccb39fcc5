import { Command, Option } from 'commander';
import { aiSystemsCommand } from './ai-systems/command.ts';
import { alertsCommand } from './alerts/command.ts';
import { completionCommand } from './completion/command.ts';
import { coverageCommand } from './coverage/command.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './credentials/command.ts';
import { importCommand } from './evaluations/command.ts';
import { evidenceCommand } from './evidence/command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { obligationsCommand } from './obligations/command.ts';
import type { Run } from './run.ts';
import { scanCommand } from './scans/command.ts';
import { packageVersion } from './version.ts';
import { webhooksCommand } from './webhooks/command.ts';

/** The commands, in the order of the help. Each loads what it needs when it runs. */
export function createProgram(run: Run): Command {
  const program = new Command('probity')
    .description('Scans, alerts, compliance evidence and webhooks of a Probity server.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help on a command')
    .addOption(new Option('--debug', 'print where a failure comes from, keys masked'))
    .addHelpText('after', PROGRAM_HELP);
  const commands = [
    loginCommand(run),
    logoutCommand(run),
    whoamiCommand(run),
    importCommand(run),
    scanCommand(run),
    alertsCommand(run),
    evidenceCommand(run),
    coverageCommand(run),
    obligationsCommand(run),
    aiSystemsCommand(run),
    webhooksCommand(run),
    completionCommand(run, program),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

const PROGRAM_HELP = `
Environment:
  PROBITY_API_KEY   the API key; overrides that of \`probity login\`
  PROBITY_BASE_URL  the server; --base-url overrides it
  PROBITY_API_PATH  path of the general API below that address; default /api/v1
  NO_COLOR          no colors

Exit codes:
${EXIT_CODES.map(([code, text]) => `  ${String(code).padEnd(4)} ${text}`).join('\n')}`;
