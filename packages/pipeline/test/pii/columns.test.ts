import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';
import { pii } from '../../src/pii/index.ts';

const pipeline = createPipeline({ stages: [pii()] });

async function typesIn(text: string): Promise<string[]> {
  const { findings } = await pipeline.scan({ prompt: text, response: '' });
  return findings.map(({ type }) => type);
}

const IDS = [
  '4539148803436467',
  '4539148803436468',
  '4539148803436469',
  '4539148803436470',
  '4539148803436471',
];
const CARDS = ['4539148803436467', '4485275742308327', '4916338506082832', '5555555555554444'];

/** A column of values as a list, a file of comma-separated values, and tables. */
const WRITINGS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  list: (values) => values.join('\n'),
  CSV: (values) => ['id,amount', ...values.map((value, at) => `${value},1${at}.00`)].join('\n'),
  Markdown: (values) => ['| n | q |', ...values.map((value) => `| ${value} | 3 |`)].join('\n'),
  TSV: (values) => ['n\tq', ...values.map((value) => `${value}\tx`)].join('\n'),
};

describe('columns of values', () => {
  for (const [name, write] of Object.entries(WRITINGS)) {
    it(`finds no card among ids of which one passes the check digit: ${name}`, async () => {
      assert.deepEqual(await typesIn(write(IDS)), []);
    });

    it(`finds each card of a column of cards: ${name}`, async () => {
      assert.deepEqual(
        await typesIn(write(CARDS)),
        CARDS.map(() => 'credit_card'),
      );
    });
  }

  it('finds a card among other numbers where the head of the column names cards', async () => {
    const text = ['card number,amount', ...IDS.map((value) => `${value},10.00`)].join('\n');
    assert.deepEqual(await typesIn(text), ['credit_card']);
  });

  it('takes a column under the head "version" for versions', async () => {
    assert.deepEqual(await typesIn('name,version\nnode,93.12.44.2\nnpm,145.2.1.9'), []);
    assert.equal((await typesIn('name,host\nnode,93.12.44.2\nnpm,145.2.1.9')).length, 2);
  });
});

describe('versions of four numbers', () => {
  for (const text of [
    'upgrade from 1.84.0.9 to 1.84.1.0',
    'Bump foo from 4.12.1.7 to 4.12.2.0',
    'pid=3121 v=1.84.1.0 started',
    'Chrome 139.0.0.0 on macOS 150.7.4.1',
    'npm install package@1.84.1.0',
    'bar>=2.13.0.44',
  ]) {
    it(`finds no address in: ${text}`, async () => assert.deepEqual(await typesIn(text), []));
  }

  for (const text of [
    'The DNS server was upgraded and moved to 93.184.216.34',
    'connect from 93.184.216.34',
    'ssh root@93.184.216.34',
  ]) {
    it(`finds an address in: ${text}`, async () =>
      assert.deepEqual(await typesIn(text), ['ip_address']));
  }
});
