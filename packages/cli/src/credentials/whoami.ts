import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import { visible } from '../terminal/text.ts';
import type { ServerFlags } from './access.ts';
import { identify } from './identity.ts';

/** Characters of a key that tell it from others; the API lists keys with as many. */
const SHOWN_CHARACTERS = 12;

/** Prints the server and the organization of the key. */
export async function whoami(
  flags: ServerFlags & { readonly json?: true },
  context: CommandContext,
): Promise<ExitCode> {
  const { out, signal } = context;
  const { access, client } = await openSession(flags, context);
  const organizations = await identify(client, { signal });
  const { baseUrl, apiKey, source } = access;
  const prefix = apiKey.slice(0, Math.min(SHOWN_CHARACTERS, Math.floor(apiKey.length / 3)));
  if (flags.json) {
    await out.write(`${JSON.stringify({ baseUrl, apiKey: prefix, source, organizations })}\n`);
    return EXIT.ok;
  }
  const lines = organizations.map(
    ({ id, name, plan }) => `Organization  ${visible(name)} (${visible(id)}, ${visible(plan)})\n`,
  );
  await out.write(
    `Server        ${baseUrl}\nAPI key       ${prefix}… (${source})\n${lines.join('')}`,
  );
  return EXIT.ok;
}
