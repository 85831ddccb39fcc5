// Migrates the database named by its argument and prints what this process applied.
import { coreMigrations } from '../../src/sql/migrations.ts';
import { migrate } from '../../src/sql/migrator.ts';
import { openDatabase } from './database.ts';

const database = openDatabase(process.argv[2] ?? '');
const applied = await migrate(database, coreMigrations);
await database.close();
process.stdout.write(`${JSON.stringify({ applied })}\n`);
