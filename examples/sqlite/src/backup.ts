// Backs up the database while the application runs: node backup.js FILE. The copy has the host's
// rows and Probity's as they were at one moment; copying the file itself would miss what is still
// in app.db-wal. Where app.db.key exists, keep a copy of it in another place: without it Probity
// cannot read the secrets in the database, and whoever has both can.
import Database from 'better-sqlite3';

const [target = 'backup.db'] = process.argv.slice(2);
const db = new Database('app.db', { fileMustExist: true });
await db.backup(target);
db.close();
