// Scans an AI system's answer for a company of the host, without a web framework:
// node scan.js FILE COMPANY ANSWER. Prints the verdict; exits 1 when the answer is blocked.
import { createTenants } from '@probity/core';
import { createSqliteDatabase } from '@probity/core/sql';
import { openGovernance } from './governance.ts';

const [path = 'host.db', organizationId = 'acme', response = ''] = process.argv.slice(2);
const database = createSqliteDatabase({ path });
try {
  const { scans } = await openGovernance(database);
  await createTenants(database).ensure(organizationId);
  const caller = { organizationId, memberId: 'script', keyId: 'script' };
  const { scan } = await scans.scan(
    {
      principal: { ...caller, role: 'member', plan: 'enterprise' },
      requestId: `script_${process.pid}`,
      address: null,
    },
    { response },
  );
  process.stdout.write(`${[scan.verdict, scan.violation?.reason].join(' ').trim()}\n`);
  process.exitCode = scan.verdict === 'blocked' ? 1 : 0;
} finally {
  await database.close();
}
