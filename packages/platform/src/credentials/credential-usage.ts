import type { Clock, Logger, Service } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { PlatformStorage } from '../organizations/storage.ts';

/** Remembers when credentials were used and writes it now and then. */
export interface CredentialUsage extends Service {
  /** Notes that the credential was used just now; costs no write. */
  record(id: string): void;
  /** Writes what has been noted since the last time. */
  flush(): Promise<void>;
}

/** What it needs. */
export interface CredentialUsageDependencies {
  readonly storage: PlatformStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between writes; default 2000, at most 5000 by the contract. */
  readonly intervalMs?: number;
}

/** Creates the writer of `last_used` of API keys: one write for all keys used within an interval. */
export function createApiKeyUsage(dependencies: CredentialUsageDependencies): CredentialUsage {
  const { storage } = dependencies;
  return createUsage(dependencies, (used) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchApiKeys(used)),
  );
}

/** The same for SCIM tokens. */
export function createScimTokenUsage(dependencies: CredentialUsageDependencies): CredentialUsage {
  const { storage } = dependencies;
  return createUsage(dependencies, (used) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchScimTokens(used)),
  );
}

function createUsage(
  { clock, logger, intervalMs = 2_000 }: CredentialUsageDependencies,
  write: (used: ReadonlyMap<string, Date>) => Promise<void>,
): CredentialUsage {
  let used = new Map<string, Date>();
  let flushing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    flushing = flushing.then(writeNoted);
    return flushing;
  }

  async function writeNoted(): Promise<void> {
    if (used.size === 0) return;
    const noted = used;
    used = new Map();
    try {
      await write(noted);
    } catch (error) {
      for (const [id, at] of noted) if (!used.has(id)) used.set(id, at);
      logger.error('the use of credentials could not be stored; it will be tried again', { error });
    }
  }

  const repeating = createRepeating({ clock, intervalMs, work: flush });
  return {
    record: (id) => void used.set(id, clock.now()),
    flush,
    start: repeating.start,
    async stop() {
      await repeating.stop();
      await flush();
    },
  };
}
