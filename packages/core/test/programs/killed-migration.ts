// Migrates the database named by its argument in slices, and dies before the sixth transaction's commit.
import { migrate } from '../../src/sql/migrator.ts';
import { fill } from '../sql/slices.ts';
import { openDatabase } from './database.ts';

const database = openDatabase(process.argv[2] ?? '');
let transactions = 0;
await migrate(
  {
    ...database,
    transaction: (work, options) =>
      database.transaction(async (session) => {
        const result = await work(session);
        transactions += 1;
        if (transactions === 6) process.kill(process.pid, 'SIGKILL');
        return result;
      }, options),
  },
  [fill],
);
