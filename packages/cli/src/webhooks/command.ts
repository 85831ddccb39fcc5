import { Command } from 'commander';
import { baseUrlOption, collect, instant, jsonOption } from '../options.ts';
import type { Run } from '../run.ts';
import type { ListenFlags } from './listen.ts';

/** `probity webhooks`. */
export function webhooksCommand(run: Run): Command {
  return new Command('webhooks')
    .description('Try the receiver of webhooks on this machine.')
    .addCommand(listenCommand(run));
}

const LISTEN_HELP = `
Asks the server for the events of the organization and posts each to the address, signed as deliveries
are, with a secret that is made for this run (or --secret-file). No webhook and no public address is
needed. Events are sent once, in their order, without retries. Ends with Ctrl-C.

Examples:
  $ probity webhooks listen --forward-to http://localhost:4242/hook
  $ probity webhooks listen --forward-to http://localhost:4242 --event alert.created --since 2026-01-31T00:00:00Z`;

function listenCommand(run: Run): Command {
  return new Command('listen')
    .description('Forward the events of the organization to a local address.')
    .requiredOption('--forward-to <url>', 'address of the receiver')
    .option('--event <type>', 'only events of this type (repeatable)', collect)
    .option('--since <time>', 'also those since then, ISO 8601 with an offset', instant)
    .option('--secret-file <file>', 'file with the secret that signs, whsec_…')
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', LISTEN_HELP)
    .action(
      run(async (context, flags: ListenFlags) => {
        const { listen } = await import('./listen.ts');
        return listen(flags, context);
      }),
    );
}
