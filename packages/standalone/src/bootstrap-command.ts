import type { Plan } from '@probity/core';
import { createRuntime, isPlan, PLANS, silentLogger } from '@probity/core';
import { isPrintableName } from '@probity/core/internal';
import { bootstrapOrganization } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { z } from 'zod';
import { configuredBaseUrl } from './base-url.ts';
import type { BootstrapFlags, Environment } from './command-line.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/** An organization with its secrets, as `bootstrap --json` prints it (contract, section 2). */
export interface BootstrappedOrganization {
  readonly organization_id: string;
  readonly owner_id: string;
  readonly api_key: string;
  readonly scim_token: string;
  readonly scim_base_url: string;
  /** A link that sets the owner's first password, once, within a week. */
  readonly setup_url: string;
}

/**
 * Creates an organization and prints its secrets to standard output: with `--json` one line of
 * JSON, else for people to read.
 */
export async function bootstrap(flags: BootstrapFlags, context: CommandContext): Promise<void> {
  const created = await createOrganization(flags, context.env);
  context.print(flags.json ? `${JSON.stringify(created)}\n` : toText(created));
}

/**
 * Creates an organization with its owner, an owner API key and a SCIM token.
 * @throws StartFailure that names the flag or the database at fault
 */
export async function createOrganization(
  flags: BootstrapFlags,
  env: Environment,
): Promise<BootstrappedOrganization> {
  const organizationName = checkName(flags.organization);
  const ownerEmail = checkEmail(flags.ownerEmail);
  const plan = checkPlan(flags.plan);
  const config = readConfig(flags.database ? { database: flags.database } : {}, env);
  const database = await openDatabase(config.database, silentLogger);
  try {
    const secretBox = await findServerSecretBox(config, database);
    const created = await bootstrapOrganization(
      createRuntime({ database, secretBox }),
      { storage: createSqlPlatformStorage(database) },
      { organizationName, ownerEmail, plan },
    );
    return {
      organization_id: created.organizationId,
      owner_id: created.ownerId,
      api_key: created.apiKey,
      scim_token: created.scimToken,
      scim_base_url: `${configuredBaseUrl(config)}/scim/v2`,
      setup_url: `${configuredBaseUrl(config)}/password/reset?token=${created.setupToken}`,
    };
  } finally {
    await database.close();
  }
}

function toText(created: BootstrappedOrganization): string {
  const lines = Object.entries(created).map(([name, value]) => `${name.padEnd(16)} ${value}\n`);
  return `${lines.join('')}The key, the token and the set-up link are shown only once.\n`;
}

function checkName(text: string): string {
  const name = text.trim();
  if (name && name.length <= 100 && isPrintableName(name)) return name;
  throw new StartFailure('--organization: must be a name of 1 to 100 characters on one line');
}

function checkEmail(text: string): string {
  if (z.email().max(254).safeParse(text).success) return text;
  throw new StartFailure(`--owner-email: must be an e-mail address, not "${text}"`);
}

function checkPlan(text: string): Plan {
  if (isPlan(text)) return text;
  throw new StartFailure(`--plan: must be one of ${PLANS.join(', ')}, not "${text}"`);
}
