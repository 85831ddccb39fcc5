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
import { openDatabase } from './database.ts';
import { startServerSecretBox } from './encryption-key.ts';
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
  const created = await createOrganization(flags, context.env, context.tell);
  context.print(flags.json ? `${JSON.stringify(created)}\n` : toText(created));
}

/**
 * Creates an organization with its owner, an owner API key and a SCIM token. On SQLite without an
 * encryption key one is made, as the server does, so that the first entry of the audit log is sealed.
 * @param tell gets advice and warnings
 * @throws StartFailure that names the flag or the database at fault
 */
export async function createOrganization(
  flags: BootstrapFlags,
  env: Environment,
  tell: (text: string) => void = () => undefined,
): Promise<BootstrappedOrganization> {
  const input = readInput(flags);
  const { organizationName, ownerEmail } = input;
  const { database: location, publicUrl } = flags;
  const config = readConfig(
    { ...(location ? { database: location } : {}), ...(publicUrl ? { publicUrl } : {}) },
    env,
  );
  const database = await openDatabase(config.database, silentLogger);
  try {
    const secretBox = await startServerSecretBox(config, database);
    const storage = createSqlPlatformStorage(database);
    const twins = (await storage.findAccountsByEmail(ownerEmail)).filter(
      ({ member, organization }) =>
        member.role === 'owner' && organization.name === organizationName,
    );
    const created = await bootstrapOrganization(
      createRuntime({ database, secretBox }),
      { storage },
      input,
    );
    const base = configuredBaseUrl(config);
    if (!secretBox) tell(UNSEALED);
    if (!config.publicUrl) tell(toPublicUrlAdvice(base));
    for (const { organization } of twins)
      tell(toTwinWarning(organization.id, created.organizationId));
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

const UNSEALED =
  'PROBITY_ENCRYPTION_KEY is not set: the first entry of the audit log is not sealed. Set it for ' +
  'bootstrap as for the server.\n';

function toPublicUrlAdvice(base: string): string {
  return `The addresses begin with ${base}; --public-url or PROBITY_PUBLIC_URL sets another.\n`;
}

function toTwinWarning(former: string, created: string): string {
  return (
    `Warning: ${former} has this name and this owner too. If ${created} was not meant, its owner can ` +
    'delete it (DELETE /v1/organizations/{org_id}?confirm=SLUG).\n'
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
    plan: checkPlan(flags.plan),
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
