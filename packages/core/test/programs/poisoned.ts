// Works on the queue `poison` under a clock that is some milliseconds ahead, with at most so many
// attempts at a job. The job `job_poison` ends the process in the middle of its attempt; of the others a line is printed at each attempt.
import type { Clock } from '../../src/clock.ts';
import { systemClock } from '../../src/clock.ts';
import { createIds } from '../../src/ids.ts';
import { done } from '../../src/jobs/outcome.ts';
import { createWorker } from '../../src/jobs/worker.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { openDatabase } from './database.ts';

const database = openDatabase(process.argv[2] ?? '');
const aheadMs = Number(process.argv[3]);
const maxAttempts = Number(process.argv[4]);
const clock: Clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + aheadMs),
};

const worker = createWorker({
  database,
  queue: 'poison',
  clock,
  logger: silentLogger,
  ids: createIds(),
  retry: { delaysMs: [1], maxAttempts },
  async handler(job) {
    if (job.id === 'job_poison') process.kill(process.pid, 'SIGKILL');
    process.stdout.write(`${JSON.stringify({ id: job.id, attempts: job.attempts })}\n`);
    return done();
  },
});
await worker.runOnce();
process.stdout.write('"rest"\n');
await database.close();
