import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';

const VALUES = [
  'jane.roe@orchardmail.net',
  '536-22-8726',
  '4111 1111 1111 1111',
  '5500000000000004',
  '+1 617 555 0134',
  '(617) 555-0134',
  '617-555-0134',
  '+44 20 7946 0958',
  'DE89 3704 0044 0532 0130 00',
  '192.168.7.41',
  '2001:db8::7',
];
const BETWEEN = [' ', ', ', '; ', ' | ', '\t', ' / ', ' - ', '  ', ' and ', ',', '|', ';', '\n'];

describe('two values side by side', () => {
  const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
  for (const between of BETWEEN) {
    it(`two values side by side are both found, and nothing else, with ${JSON.stringify(between)} between`, async () => {
      for (const first of VALUES) {
        for (const second of VALUES) {
          const response = `${first}${between}${second}`;
          const { findings } = await pipeline.scan({ response });
          assert.deepEqual(
            findings.map(({ start, end }) => response.slice(start, end)),
            [first, second],
          );
        }
      }
    });
  }

  it('two values side by side are both found in a line of CSV, an SSN in blanks among them', async () => {
    const response = 'social security number,card\n4242424242424242,318 44 9021,185.60.216.35';
    const { findings } = await pipeline.scan({ response });
    assert.deepEqual(
      findings.map(({ start, end }) => response.slice(start, end)),
      ['4242424242424242', '318 44 9021', '185.60.216.35'],
    );
  });

  it('two values side by side are both found after the word for the first one', async () => {
    for (const phone of ['+1 617 555 0134', '+44 20 7946 0958']) {
      const response = `Account number 48392017, ${phone}`;
      const { findings } = await pipeline.scan({ response });
      assert.deepEqual(
        findings.map(({ type, start, end }) => [type, response.slice(start, end)]),
        [
          ['bank_account', '48392017'],
          ['phone_number', phone],
        ],
      );
    }
  });
});
