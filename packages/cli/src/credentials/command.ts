import { Command, Option } from 'commander';
import { baseUrlOption, jsonOption } from '../options.ts';
import type { Run } from '../run.ts';
import type { ServerFlags } from './access.ts';
import type { LoginFlags } from './login.ts';

const LOGIN_HELP = `
The key comes from --api-key, --api-key-stdin, PROBITY_API_KEY, or a prompt on a terminal. Other users of
the machine may see --api-key for a moment; the other ways are not visible.

A key that is stored with --base-url is sent to that server alone; one that is stored without is sent to
whichever server a command names.

Examples:
  $ probity login --base-url https://probity.example
  $ probity login --base-url https://probity.example --api-key-stdin < key.txt
  $ probity login --api-key pbk_…`;

/** `probity login`. */
export function loginCommand(run: Run): Command {
  return new Command('login')
    .description('Check an API key and store it for later commands, readable by you alone.')
    .option('--api-key <key>', 'the API key')
    .addOption(
      new Option('--api-key-stdin', 'read the API key from standard input').conflicts('apiKey'),
    )
    .addOption(baseUrlOption())
    .addHelpText('after', LOGIN_HELP)
    .action(
      run(async (context, flags: LoginFlags) => {
        const { login } = await import('./login.ts');
        return login(flags, context);
      }),
    );
}

/** `probity logout`. */
export function logoutCommand(run: Run): Command {
  return new Command('logout')
    .description('Remove the stored API key. It stays valid until it is revoked.')
    .action(
      run(async (context) => {
        const { logout } = await import('./login.ts');
        return logout(context);
      }),
    );
}

/** `probity whoami`. */
export function whoamiCommand(run: Run): Command {
  return new Command('whoami')
    .description('Print the server, and the organization and the role of the API key.')
    .addOption(baseUrlOption())
    .addOption(jsonOption())
    .action(
      run(async (context, flags: ServerFlags & { json?: true }) => {
        const { whoami } = await import('./whoami.ts');
        return whoami(flags, context);
      }),
    );
}
