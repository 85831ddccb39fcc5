import { randomBytes } from 'node:crypto';
import { isWriteFailure } from '../errors.ts';
import type { SqlSession } from './session.ts';

/** Detects when the database rejects writes, and when it accepts them again. */
export interface WriteWatch {
  /** Inspects the error of a failed transaction. */
  note(error: unknown): void;
  /**
   * Rejects with the reason while writes fail: after a failure for lack of space, of permission or
   * of a working disk, each call tries another write. Costs nothing while writes succeed.
   */
  check(): Promise<void>;
}

interface ProbeTables {
  probity_write_probes: { id: string; filler: string };
}

/** More than the slack of existing pages in the file; random, since the databases compress. */
const FILLER_BYTES = 32_768;

type Transaction = <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>;

/** Watches the writes of `transaction`. */
export function createWriteWatch(transaction: Transaction): WriteWatch {
  let isFailing = false;
  return {
    note(error) {
      if (isWriteFailure(error)) isFailing = true;
    },
    async check() {
      if (!isFailing) return;
      const row = {
        id: randomBytes(16).toString('hex'),
        filler: randomBytes(FILLER_BYTES).toString('hex'),
      };
      // Only committed rows take space on disk, so the probe is committed and then deleted.
      await transaction(async (session) => {
        await session
          .kysely<ProbeTables>()
          .insertInto('probity_write_probes')
          .values(row)
          .execute();
      });
      isFailing = false;
      await transaction(async (session) => {
        await session.kysely<ProbeTables>().deleteFrom('probity_write_probes').execute();
      });
    },
  };
}
