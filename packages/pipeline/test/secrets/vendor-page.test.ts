import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { INNER_ROWS, NAMED_ROWS, PREFIXED_ROWS } from '../../src/secrets/vendors/index.ts';
import { VERIFIED_FORMS } from './verified-forms.ts';

const PAGE = new URL('../../../../../docs/detection/secrets-vendors.md', import.meta.url);

describe('docs/detection/secrets-vendors.md', () => {
  it('has every vendor with what is known of it, and an address', () => {
    const rows = [...PREFIXED_ROWS, ...NAMED_ROWS, ...INNER_ROWS];
    const checked = new Set(PREFIXED_ROWS.filter(({ check }) => check).map(({ vendor }) => vendor));
    const compared = new Set(VERIFIED_FORMS.map(({ vendor }) => vendor));
    const expected = [...new Set(rows.map(({ vendor }) => vendor))].map((vendor) => {
      const known = [
        ...rows,
        ...VERIFIED_FORMS.map(({ vendor, page }) => ({ vendor, source: page })),
      ];
      const addresses = known.filter((row) => row.vendor === vendor).map(({ source }) => source);
      return {
        vendor,
        isChecked: checked.has(vendor),
        isCompared: compared.has(vendor),
        addresses,
      };
    });
    const lines = readFileSync(PAGE, 'utf8').split('\n');
    const table = lines.filter((line) => line.includes('| <https://')).map(cellsOf);
    assert.equal(table.length, expected.length);
    for (const { vendor, isChecked, isCompared, addresses } of expected) {
      const cells = table.find(([name]) => name === vendor);
      assert.ok(cells, vendor);
      const [, , check, compare, links = ''] = cells;
      assert.equal(check === 'yes', isChecked, vendor);
      assert.equal(compare === 'yes', isCompared, vendor);
      for (const [, address = ''] of links.matchAll(/<([^>]+)>/g)) {
        assert.ok(addresses.includes(address), `${vendor} ${address}`);
      }
    }
  });
});

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
