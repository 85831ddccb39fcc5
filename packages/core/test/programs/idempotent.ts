// Handles one request with an Idempotency-Key and is killed, as `point` says, before its commit or
// before anybody hears the answer.
import { systemClock } from '../../src/clock.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { bindStorage } from '../../src/storage/bind.ts';
import { newJob } from '../../src/testing/records.ts';
import { openDatabase } from './database.ts';

const [url = '', point] = process.argv.slice(2);
const database = openDatabase(url);
const storage = bindStorage(database, () => ({}));
const dieAt = (here: string) => {
  if (here === point) process.kill(process.pid, 'SIGKILL');
};

const { reply, isReplay } = await createIdempotency({ database, clock: systemClock }).run({
  request: {
    key: 'k1',
    organizationId: 'acme',
    keyId: 'key_1',
    callerSecret: 'token',
    route: 'POST /jobs',
    input: {},
  },
  work: async (unit) => {
    const job = newJob();
    await storage.transaction({ unit }, (tx) => tx.enqueueJobs([job]));
    dieAt('written');
    return { status: 201, body: { id: job.id } };
  },
  toReply: ({ status }) => ({ status }),
});
dieAt('committed');
process.stdout.write(`${JSON.stringify({ ...reply, isReplay })}\n`);
await database.close();
