import type { Runtime, Service, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { ApiKeyReads, ApiKeyWrites, ScimTokenReads, ScimTokenWrites } from './storage.ts';

/** Records when credentials are used and writes the times once per interval. */
export interface CredentialUsage extends Service {
  /** Records a use of the credential at the present time, without a write. */
  record(id: string): void;
  /** Writes the uses recorded since the last flush. */
  flush(): Promise<void>;
}

/** Options of a usage writer. */
export interface CredentialUsageOptions<CredentialStorage> {
  readonly storage: CredentialStorage;
  /** Milliseconds between writes; default 2000, at most 5000 by the contract. */
  readonly intervalMs?: number | undefined;
}

/** Creates the writer of API keys' `last_used`: one write for all keys used within an interval. */
export function createApiKeyUsage(
  runtime: Runtime,
  { storage, intervalMs }: CredentialUsageOptions<Storage<ApiKeyReads, ApiKeyWrites>>,
): CredentialUsage {
  return createUsage(runtime, intervalMs, (used) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchApiKeys(used)),
  );
}

/** Creates the writer of SCIM tokens' `last_used`; see {@link createApiKeyUsage}. */
export function createScimTokenUsage(
  runtime: Runtime,
  { storage, intervalMs }: CredentialUsageOptions<Storage<ScimTokenReads, ScimTokenWrites>>,
): CredentialUsage {
  return createUsage(runtime, intervalMs, (used) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchScimTokens(used)),
  );
}

const DEFAULT_INTERVAL_MS = 2_000;

function createUsage(
  { clock, logger }: Runtime,
  intervalMs: number | undefined,
  write: (used: ReadonlyMap<string, Date>) => Promise<readonly string[]>,
): CredentialUsage {
  let used = new Map<string, Date>();
  /** Skipped by the last write: once more, since the credential may have been changed or have ended. */
  let skippedBefore: ReadonlySet<string> = new Set();
  let flushing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    flushing = flushing.then(writeNoted);
    return flushing;
  }

  async function writeNoted(): Promise<void> {
    if (used.size === 0) return;
    const noted = used;
    used = new Map();
    const keep = (id: string, at: Date | undefined) => {
      if (at && !used.has(id)) used.set(id, at);
    };
    try {
      const skipped = (await write(noted)).filter((id) => !skippedBefore.has(id));
      for (const id of skipped) keep(id, noted.get(id));
      skippedBefore = new Set(skipped);
    } catch (error) {
      for (const [id, at] of noted) keep(id, at);
      logger.error('credential usage could not be stored; will retry', { error });
    }
  }

  const repeating = createRepeating({
    clock,
    intervalMs: intervalMs ?? DEFAULT_INTERVAL_MS,
    work: flush,
  });
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
