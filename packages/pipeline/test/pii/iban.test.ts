import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';
import { ibanLength, isIban } from '../../src/pii/iban.ts';

/** Examples of the SWIFT IBAN registry, for countries that joined it late and for structures with letters. */
const EXAMPLES =
  'BI4210000100010000332045181 BY13NBRB3600900000002Z00AB00 DE89370400440532013000 DJ2100010000000154000100186 FK88SC123456789012 ' +
  'GB29NWBK60161331926819 HN88CABF00000000000250005469 LY83002048000020100120361 MN121234123456789123 ' +
  'MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 OM810180000001299123456 ' +
  'RU0204452560040702810412345678901 SD2129010501234001 SO211000001001000100141 ST23000100010051845310146 YE15CBYE0001018861234567891234';

describe('IBANs', () => {
  for (const value of EXAMPLES.split(' ')) {
    it(`finds an IBAN of ${value.slice(0, 2)}, and none with a wrong digit`, async () => {
      assert.equal(ibanLength(value.slice(0, 2)), value.length);
      const text = `Please pay to ${value} today.`;
      const { findings } = await createPipeline().scan({ prompt: text, response: '' });
      const found = findings.filter(({ type }) => type === 'bank_account');
      assert.deepEqual(
        found.map(({ start, end }) => text.slice(start, end)),
        [value],
      );
      const last = value.slice(-1);
      assert.ok(!isIban(value.slice(0, -1) + (last === '1' ? '2' : '1')));
    });
  }

  it('refuses a country without IBANs and a structure of another country', () => {
    assert.equal(ibanLength('US'), undefined);
    assert.ok(!isIban('US89370400440532013000'));
    assert.ok(!isIban('DE8937040044053201300A'));
  });
});
