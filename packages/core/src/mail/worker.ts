import type { Clock } from '../clock.ts';
import type { Random } from '../crypto/random.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Ids } from '../ids.ts';
import type { JobHandler } from '../jobs/outcome.ts';
import type { RetryProfile } from '../jobs/retry.ts';
import type { Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { Mailer } from './mail.ts';

/** Dependencies of a worker that mails links with tokens. */
export interface MailWorkerOptions {
  /** The database that the storages are bound to. */
  readonly database: Database;
  readonly mailer: Mailer;
  /** Opens the tokens, which are stored sealed until they are mailed. */
  readonly secretBox: SecretBox;
  /** Returns the base of links, without a trailing slash; called for every mail. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Ids;
  /** Default: the operating system's. */
  readonly random?: Random;
}

/** Creates the worker of a queue of mails; failed mails are retried by `retry`. */
export function createMailWorker(
  queue: string,
  { database, clock, logger, ids, random }: Omit<MailWorkerOptions, 'secretBox'>,
  retry: RetryProfile,
  handler: JobHandler,
): Worker {
  return createWorker({
    database,
    queue,
    clock,
    logger,
    ids,
    handler,
    retry,
    ...(random ? { random } : {}),
  });
}
