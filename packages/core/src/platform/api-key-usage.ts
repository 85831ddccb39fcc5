import type { Clock, Timer } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
import type { PlatformStorage } from './storage.ts';

/** Remembers when keys were used and writes it now and then. */
export interface ApiKeyUsage extends Service {
  /** Notes that the key was used just now; costs no write. */
  record(keyId: string): void;
  /** Writes what has been noted since the last time. */
  flush(): Promise<void>;
}

/** What it needs. */
export interface ApiKeyUsageDependencies {
  readonly storage: PlatformStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between writes; default 2000, at most 5000 by the contract. */
  readonly intervalMs?: number;
}

/** Creates the writer of `last_used`: one write for all keys used within an interval. */
export function createApiKeyUsage(dependencies: ApiKeyUsageDependencies): ApiKeyUsage {
  const { storage, clock, logger, intervalMs = 2_000 } = dependencies;
  let used = new Map<string, Date>();
  let timer: Timer | null = null;
  let running = false;
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
      await storage.transaction((tx) => tx.touchApiKeys(noted));
    } catch (error) {
      for (const [id, at] of noted) if (!used.has(id)) used.set(id, at);
      logger.error('the use of API keys could not be stored; it will be tried again', { error });
    }
  }

  function schedule(): void {
    timer = clock.setTimer(() => {
      void flush().then(() => {
        if (running) schedule();
      });
    }, intervalMs);
  }

  return {
    record: (keyId) => void used.set(keyId, clock.now()),
    flush,
    async start() {
      if (running) return;
      running = true;
      schedule();
    },
    async stop() {
      running = false;
      timer?.cancel();
      await flush();
    },
  };
}
