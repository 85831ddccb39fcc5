import type { Plan } from '@probity/core';
import { createRuntime, isPlan, PLANS, silentLogger } from '@probity/core';
import { isEmailAddress, isPrintableName } from '@probity/core/internal';
import type { BootstrapInput } from '@probity/platform';
import { bootstrapOrganization } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { configuredBaseUrl } from './base-url.ts';
import type { BootstrapFlags, Environment } from './command-line.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { describe, openDatabase } from './database.ts';
import { createServerSecretBox, keyFileOf } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/**
 * An organization with its secrets, as `bootstrap --json` prints it (contract, section 2; `setup_token`
 * beside it).
 */
export interface BootstrappedOrganization {
  readonly organization_id: string;
  readonly owner_id: string;
  readonly api_key: string;
  /** For the identity provider, with `scim_base_url`. */
  readonly scim_token: string;
  readonly scim_base_url: string;
  /** A link that sets the owner's first password, once, within a week. */
  readonly setup_url: string;
  /** The token in it, for `POST /v1/auth/password/reset`. */
  readonly setup_token: string;
}

/**
 * Creates an organization and prints its secrets to standard output: with `--json` one line of
 * JSON, else for people to read. Standard error says how to go on, and what looks wrong.
 */
export async function bootstrap(flags: BootstrapFlags, context: CommandContext): Promise<void> {
  const created = await createOrganization(flags, context.env, context.tell, !flags.json);
  context.print(flags.json ? `${JSON.stringify(created)}\n` : toText(created));
}

/**
 * Creates an organization with its owner, an owner API key and a SCIM token. On SQLite without an
 * encryption key one is made, and on PostgreSQL it is required, as by `serve`.
 * @param tell gets advice and warnings
 * @param refusesTwin whether it refuses an owner who has an organization of this name; default false, since programs may
 *   create several
 * @throws StartFailure that names the flag, the organization that exists or the database at fault
 */
export async function createOrganization(
  flags: BootstrapFlags,
  env: Environment,
  tell: (text: string) => void = () => undefined,
  refusesTwin = false,
): Promise<BootstrappedOrganization> {
  const input = readInput(flags);
  const { organizationName, ownerEmail } = input;
  const { database: location, publicUrl } = flags;
  const config = readConfig(
    { ...(location ? { database: location } : {}), ...(publicUrl ? { publicUrl } : {}) },
    env,
  );
  // Before the database is touched: the server will not start without the key.
  keyFileOf(config);
  const database = await openDatabase(config.database, silentLogger);
  try {
    const secretBox = await createServerSecretBox(config, database);
    const storage = createSqlPlatformStorage(database);
    const twin = (await storage.findAccountsByEmail(ownerEmail)).find(
      ({ member, organization }) =>
        member.role === 'owner' && organization.name === organizationName,
    );
    if (twin && refusesTwin) throw alreadyThere(twin.organization.id, input);
    const created = await bootstrapOrganization(
      createRuntime({ database, secretBox }),
      { storage },
      input,
    );
    const base = configuredBaseUrl(config);
    tell(`${describe(config.database)} has the new organization ${created.organizationId}.\n`);
    if (!config.publicUrl) tell(toPublicUrlAdvice(base));
    if (twin) tell(toTwinWarning(twin.organization.id, created.organizationId));
    tell(toSetupAdvice(base));
    return {
      organization_id: created.organizationId,
      owner_id: created.ownerId,
      api_key: created.apiKey,
      scim_token: created.scimToken,
      scim_base_url: `${base}/scim/v2`,
      setup_url: `${base}/password/reset?token=${created.setupToken}`,
      setup_token: created.setupToken,
    };
  } finally {
    await database.close();
  }
}

function toPublicUrlAdvice(base: string): string {
  return `The addresses begin with ${base}; --public-url or PROBITY_PUBLIC_URL sets another.\n`;
}

function toTwinWarning(former: string, created: string): string {
  return (
    `Warning: ${former} has this name and this owner too. If ${created} was not meant, its owner can ` +
    'delete it (DELETE /v1/organizations/{org_id}?confirm=SLUG).\n'
  );
}

function alreadyThere(id: string, { organizationName, ownerEmail }: BootstrapInput): StartFailure {
  return new StartFailure(
    `${ownerEmail} owns the organization ${organizationName} (${id}) already. Its secrets were printed once: use them, ` +
      'or give another --organization to create a further one',
  );
}

function toSetupAdvice(base: string): string {
  return (
    'Within a week, set the first password of the owner: open setup_url while the server runs, or POST ' +
    '{"token": setup_token, "password": …} to ' +
    `${base}/v1/auth/password/reset.\n` +
    'An identity provider provisions members with scim_token at scim_base_url.\n'
  );
}

function toText(created: BootstrappedOrganization): string {
  const lines = Object.entries(created).map(([name, value]) => `${name.padEnd(16)} ${value}\n`);
  return `${lines.join('')}The key, the token and the set-up link are shown only once.\n`;
}

function readInput(flags: BootstrapFlags): BootstrapInput {
  const { description, website, dataResidency } = flags;
  return {
    organizationName: checkName('--organization', flags.organization),
    ownerEmail: checkEmail(flags.ownerEmail),
    plan: flags.plan === undefined ? undefined : checkPlan(flags.plan),
    description: description === undefined ? undefined : checkDescription(description),
    website: website === undefined ? undefined : checkWebsite(website),
    dataResidency:
      dataResidency === undefined ? undefined : checkName('--data-residency', dataResidency),
  };
}

function checkName(flag: string, text: string): string {
  const name = text.trim();
  if (name && name.length <= 100 && isPrintableName(name)) return name;
  throw new StartFailure(`${flag}: must be a name of 1 to 100 characters on one line`);
}

function checkDescription(text: string): string {
  const description = text.trim();
  const lines = description.split(/\r?\n/);
  if (description && description.length <= 1_000 && lines.every(isPrintableName)) {
    return lines.join('\n');
  }
  throw new StartFailure('--description: must be a text of 1 to 1000 characters');
}

function checkWebsite(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && text.length <= 2_048) return url.href;
  throw new StartFailure(
    `--website: must be a URL such as https://example.com, not ${JSON.stringify(text.slice(0, 100))}`,
  );
}

function checkEmail(text: string): string {
  if (isEmailAddress(text)) return text;
  throw new StartFailure(`--owner-email: must be an e-mail address, not "${text}"`);
}

function checkPlan(text: string): Plan {
  if (isPlan(text)) return text;
  throw new StartFailure(`--plan: must be one of ${PLANS.join(', ')}, not "${text}"`);
}
