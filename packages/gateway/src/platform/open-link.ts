import { join } from 'node:path';
import type { Clock, Logger } from '@probity/core';
import type { Environment } from '../config/substitution.ts';
import { readVersion } from '../program/version.ts';
import { createPlatformClient } from './platform-client.ts';
import type { PlatformLink } from './platform-link.ts';
import { createPlatformLink } from './platform-link.ts';
import {
  isInTheClear,
  openPlatformState,
  platformAccessOf,
  stateFolderOf,
} from './platform-state.ts';
import type { UsageJournal } from './usage-journal.ts';
import { openUsageJournal } from './usage-journal.ts';

/**
 * The link to the platform that the environment names; null without one.
 *
 * @throws Error for an environment at fault, and when the folder of the state cannot be written
 */
export function openPlatformLink(
  { file, env }: { readonly file: string; readonly env: Environment },
  parts: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly rebuild: () => Promise<void>;
  },
): PlatformLink | null {
  const access = platformAccessOf(env);
  if (access === null) return null;
  if (isInTheClear(access)) {
    parts.logger.warn(
      'PROBITY_PLATFORM_URL sends the key and pulls policies in the clear; write an https address',
    );
  }
  const folder = stateFolderOf(file, env);
  return createPlatformLink({
    ...parts,
    client: createPlatformClient(access),
    state: openPlatformState(folder, parts.logger),
    journal: openUsageJournal(join(folder, 'usage'), parts),
    version: readVersion(),
  });
}

/**
 * Counts scans beside a link of another process, which reports them; null without a platform. What is counted is on file
 * before the scan is answered, whichever process is killed.
 *
 * @throws Error as `openPlatformLink`
 */
export function openScanCount(
  { file, env }: { readonly file: string; readonly env: Environment },
  parts: { readonly clock: Clock; readonly logger: Logger },
): Pick<UsageJournal, 'count' | 'close'> | null {
  if (platformAccessOf(env) === null) return null;
  return openUsageJournal(join(stateFolderOf(file, env), 'usage'), parts);
}
