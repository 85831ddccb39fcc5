import { Command, Option } from 'commander';
import { alertsCommand } from './alerts/command.ts';
import { completionCommand } from './completion/command.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './credentials/command.ts';
import { importCommand } from './evaluations/command.ts';
import { evidenceCommand } from './evidence/command.ts';
import { EXIT } from './exit-codes.ts';
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
  ${EXIT.ok}    done
  ${EXIT.finding}    a scan has the verdict of --fail-on, or a verification found a fault
  ${EXIT.usage}    the command line, a setting or an input file is wrong
  ${EXIT.network}    no answer from the server
  ${EXIT.access}    no API key, or one that the server refuses or that lacks the permission or plan
  ${EXIT.server}    the server refused the request for another reason, or failed
  ${EXIT.interrupted}  interrupted by SIGINT or SIGTERM`;
