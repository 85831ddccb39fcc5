import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from '@probity/core';
import { isLoopback } from '../config/forms.ts';
import type { Environment } from '../config/substitution.ts';
import type { PlatformAccess } from './platform-client.ts';
import type { PlatformRules } from './rules.ts';
import { NO_RULES, parseRules } from './rules.ts';

/** Where a gateway keeps what must outlive it: as the environment says, else beside the configuration. */
export function stateFolderOf(config: string, env: Environment): string {
  const { PROBITY_GATEWAY_STATE_FOLDER: named } = env;
  return named || join(dirname(resolve(config)), 'gateway-state');
}

/**
 * The platform that the environment names; null without one.
 *
 * @throws Error where only one of address and key is set, or the address is none
 */
export function platformAccessOf(env: Environment): PlatformAccess | null {
  const { PROBITY_PLATFORM_URL: url = '', PROBITY_PLATFORM_KEY: key = '' } = env;
  if (url === '' && key === '') return null;
  if (key === '') throw new Error('PROBITY_PLATFORM_URL is set, and PROBITY_PLATFORM_KEY is not');
  if (url === '') throw new Error('PROBITY_PLATFORM_KEY is set, and PROBITY_PLATFORM_URL is not');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error('PROBITY_PLATFORM_URL must be an address such as https://probity.example.com');
  }
  return { url, key };
}

/** Whether others on the network can read requests to the platform. */
export function isInTheClear({ url }: PlatformAccess): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** What is kept of the platform in a folder. */
export interface PlatformState {
  /** Chosen once; stays the same across restarts. */
  readonly instanceId: string;
  /** What was pulled last; without policies and knowledge where nothing was. */
  readRules(): PlatformRules;
  writeRules(rules: PlatformRules): void;
}

/**
 * Opens the folder.
 *
 * @throws Error when it cannot be written
 */
export function openPlatformState(folder: string, logger: Logger): PlatformState {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const rulesFile = join(folder, 'platform-rules.json');
  return {
    instanceId: readInstanceId(join(folder, 'instance-id')),
    readRules() {
      try {
        return parseRules(JSON.parse(readFileSync(rulesFile, 'utf8')));
      } catch (error) {
        const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isMissing) logger.error('what was pulled from the platform cannot be read', { error });
        return NO_RULES;
      }
    },
    writeRules(rules) {
      const draft = `${rulesFile}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(rules), { mode: 0o600, flush: true });
      renameSync(draft, rulesFile);
    },
  };
}

function readInstanceId(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `gw_${randomUUID()}`, { mode: 0o600, flush: true });
  try {
    // Of several processes that start at once the first one chooses, and nobody reads half of it.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
