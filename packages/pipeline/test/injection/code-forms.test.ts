import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';

/** Forms of attacks, each with the type that it must be found as. */
const FORMS: readonly (readonly [type: string, text: string])[] = [
  ['sql_injection', "SELECT id FROM staff WHERE name = 'root' OR 1=1 --' AND pin = ''"],
  ['sql_injection', 'select * from goods where id = 7 or 2 = 2'],
  ['sql_injection', "x' AND phone IS NULL; --"],
  ['sql_injection', "' or login like '%"],
  ['sql_injection', '; DROP TABLE invoices;--'],
  ['sql_injection', 'UNION SELECT NULL,NULL,NULL'],
  ['sql_injection', "3 waitfor delay '0:0:9'"],
  ['sql_injection', 'or 5=5'],
  ['sql_injection', "'; insert into admins values ('eve', 'x') --"],
  ['command_injection', '/report.pdf|id|'],
  ['command_injection', ";system('cat /etc/hosts')"],
  ['command_injection', 'user@example.org;whoami'],
];

const STATEMENTS = [
  'SELECT name, price FROM goods WHERE price > 10 ORDER BY name',
  "UPDATE staff SET name = 'Ann' WHERE id = 7",
  'SELECT COUNT(*) FROM a JOIN b ON a.id = b.id WHERE b.x = 1 AND a.y = 2',
  "DELETE FROM logs WHERE created_at < now() - interval '30 days'",
  "O'Brien",
  'cats & dogs; mice',
  "it's 5 o'clock -- time to go",
];

describe('attacks in code', () => {
  const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });

  for (const [type, text] of FORMS) {
    it(`attacks in code are found: ${JSON.stringify(text)}`, async () => {
      const { findings } = await pipeline.scan({ response: text });
      assert.ok(findings.some((found) => found.type === type && found.score >= 0.5));
    });
  }

  it('attacks in code are not reported in complete statements and values', async () => {
    for (const text of STATEMENTS) {
      const { scores } = await pipeline.scan({ response: text });
      assert.ok((scores.injection ?? 1) < 0.5, `${scores.injection}: ${text}`);
    }
  });
});
