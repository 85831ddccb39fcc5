import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY } from '../program.ts';
import type { Line } from './exports.ts';
import { exportLines, toText } from './exports.ts';

const changedAt = (sequence: number) => ({ sequence, reason: 'changed' });

describe('verification of an export', () => {
  it('finds an intact chain, without a key and a server, and prints its end', async (t) => {
    const home = createHome(t);
    const lines = exportLines();
    const { code, stdout, stderr } = await home.run(['evidence', 'verify', '-'], {
      input: toText(lines),
    });
    assert.deepEqual([code, stderr], [0, '']);
    const { sequence, hash } = lines.at(-1);
    assert.equal(stdout, `intact  4 records of 5 nodes verified\nend  ${sequence}:${hash}\n`);
    const json = await home.run(['evidence', 'verify', '-', '--json'], { input: toText(lines) });
    assert.deepEqual(JSON.parse(json.stdout), {
      valid: true,
      nodes: 5,
      records: 4,
      removedThrough: 0,
      fault: null,
      end: { sequence, hash },
    });
  });

  const changes: ReadonlyArray<readonly [string, (lines: Line[]) => unknown, number, string]> = [
    ['a byte of the content', ([, line]) => (line.record.content += '.'), 2, 'changed'],
    ['a number of the metadata', ([line]) => (line.record.metadata.passRate = 0.6), 1, 'changed'],
    ['the time', ([, , line]) => (line.createdAt = '2026-01-31T00:00:00.001Z'), 3, 'changed'],
    ['a label', ([line]) => (line.record.labels.env = 'prod'), 1, 'changed'],
    [
      'a label that was amended',
      ([, line]) => (line.record.labels = { env: 'ci', a: 'b' }),
      2,
      'changed',
    ],
    ['an obligation', ([, , , line]) => line.record.obligationIds.pop(), 4, 'changed'],
    ['the key', ([, line]) => (line.idempotencyKey = 'f'.repeat(64)), 2, 'changed'],
    ['a record that is gone', ([, line]) => (line.record = null), 2, 'missing'],
    ['a line that is gone', (lines) => lines.splice(2, 1), 3, 'missing'],
    ['the first line that is gone', (lines) => lines.splice(0, 1), 1, 'missing'],
    ['a line that is there twice', (lines) => lines.splice(2, 0, lines[1]), 2, 'added'],
    [
      'two lines in exchanged places',
      (lines) => lines.splice(1, 2, lines[2], lines[1]),
      2,
      'missing',
    ],
    ['another organization', ([, line]) => (line.organizationId = 'org_2'), 2, 'changed'],
  ];
  for (const [title, change, sequence, reason] of changes) {
    it(`finds ${title}`, async (t) => {
      const lines = exportLines();
      change(lines);
      const { code, stdout } = await createHome(t).run(['evidence', 'verify', '-', '--json'], {
        input: toText(lines),
      });
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(stdout).fault, { sequence, reason });
    });
  }

  it('takes the links of a record from the last line that has it', async (t) => {
    const home = createHome(t);
    const verify = async (change: (record: Line, amendment: Line) => void) => {
      const lines = exportLines();
      const [record, amendment] = [lines[1].record, lines[4]];
      // As an export has it that the amendment was made in: the record was written with its former labels.
      amendment.record = structuredClone(record);
      record.labels = { env: 'ci' };
      change(record, amendment.record);
      const args = ['evidence', 'verify', '-', '--json'];
      return JSON.parse((await home.run(args, { input: toText(lines) })).stdout).fault;
    };
    assert.equal(await verify(() => undefined), null);
    assert.deepEqual(await verify((_, { labels }) => (labels.env = 'ci')), changedAt(2));
    assert.deepEqual(await verify((_, amended) => (amended.title = 'Other')), changedAt(5));
    assert.deepEqual(await verify((record) => (record.title = 'Other')), changedAt(2));
  });

  const notations: ReadonlyArray<readonly [string, (text: string) => string]> = [
    ['a time in another notation', (text) => text.replace('.000Z"', '+00:00"')],
    ['a number in another notation', (text) => text.replace('0.5,', '0.50,')],
    ['a text in another notation', (text) => text.replace('Two', '\\u0054wo')],
    ['a member that no hash covers', (text) => text.replace('{', '{"approved":true,')],
    ['such a member of a record', (text) => text.replace('{"salt"', '{"approved":true,"salt"')],
    ['a member that stands twice', (text) => text.replace('{"salt"', '{"title":"Other","salt"')],
  ];
  for (const [title, change] of notations) {
    it(`finds ${title}`, async (t) => {
      const input = change(toText(exportLines()));
      assert.notEqual(input, toText(exportLines()));
      const { code, stdout } = await createHome(t).run(['evidence', 'verify', '-', '--json'], {
        input,
      });
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(stdout).fault, changedAt(1));
    });
  }

  it('accepts line ends of another system', async (t) => {
    const input = toText(exportLines()).replaceAll('\n', '\r\n');
    const { code } = await createHome(t).run(['evidence', 'verify', '-'], { input });
    assert.equal(code, 0);
  });

  it('finds a chain that was made anew by the end of an earlier verification', async (t) => {
    const home = createHome(t);
    const [lines, others] = [exportLines(), exportLines(9)];
    const verify = (expect: string, of = lines) =>
      home.run(['evidence', 'verify', '-', '--expect', expect], { input: toText(of) });
    const { sequence, hash } = lines[3];
    assert.equal((await verify(`${sequence}:${hash}`)).code, 0);
    assert.equal((await verify(`${sequence}:${hash}`, others)).code, 0);
    const changed = await verify(`${sequence}:${'0'.repeat(64)}`);
    assert.deepEqual([changed.code, /node 4 was changed/.test(changed.stdout)], [1, true]);
    const cut = await verify(`${sequence}:${hash}`, lines.slice(0, 1));
    assert.deepEqual([cut.code, /node 4 is missing/.test(cut.stdout)], [1, true]);
  });

  it('counts the oldest records that retention has removed', async (t) => {
    const lines = exportLines();
    lines[0].record = null;
    lines[1].record = null;
    const { code, stdout } = await createHome(t).run(['evidence', 'verify', '-'], {
      input: toText(lines),
    });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^intact {2}2 records of 5 nodes verified, 2 records removed by retention\n/,
    );
  });

  for (const [title, input, message] of [
    ['a table', 'id,title\n1,a\n', /standard input, line 1: expected a node of the chain/],
    ['an object', '{"data": []}\n', /line 1: expected a node/],
    ['half a line', `${toText(exportLines())}{"sequence":`, /line 6: expected a node/],
  ] as const) {
    it(`of ${title} is exit code 2`, async (t) => {
      const { code, stderr } = await createHome(t).run(['evidence', 'verify', '-'], { input });
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }
});

describe('verification on the server', () => {
  for (const [fault, code, message] of [
    [null, 0, /^intact {2}7 records of 9 nodes verified\nend {2}9:ab\n/],
    [{ sequence: 4, reason: 'changed' }, 1, /^broken {2}node 4 was changed; 7 records of 9 nodes/],
    [{ sequence: 9, reason: 'unsealed' }, 1, /node 9 is not the end that was sealed/],
  ] as const) {
    it(`exits with ${code} for ${fault?.reason ?? 'an intact chain'}`, async (t) => {
      const counts = { nodes: 9, records: 7, removedThrough: 0, sealedFrom: 1 };
      const data = { valid: fault === null, ...counts, fault, end: { sequence: 9, hash: 'ab' } };
      const { url, requests } = await startCapturingServer(t, () => ({ body: { data } }));
      const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url };
      const ran = await createHome(t).run(['evidence', 'verify'], { env });
      assert.equal(ran.code, code);
      assert.match(ran.stdout, message);
      assert.equal(requests[0]?.path, '/api/v1/compliance/evidence/verify');
    });
  }
});
