import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Ids } from '../ids.ts';
import type { JobHandler, Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { Mailer } from './mail.ts';

/** What a worker needs that mails links with tokens. */
export interface MailWorkerOptions {
  /** The database that the storages are bound to. */
  readonly database: Database;
  readonly mailer: Mailer;
  /** Opens the tokens, which are sealed until they are mailed. */
  readonly secretBox: SecretBox;
  /** Base of the links, without a slash at its end; asked for with every mail. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Ids;
}

/** Creates the worker of a queue of mails. */
export function createMailWorker(
  queue: string,
  { database, clock, logger, ids }: MailWorkerOptions,
  handler: JobHandler,
): Worker {
  const newLeaseToken = () => ids.next('job');
  return createWorker({ database, queue, clock, logger, newLeaseToken, handler });
}
