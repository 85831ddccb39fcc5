import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_ZONE_NAMES } from '../../src/organizations/time-zone-names.ts';
import { toTimeZone } from '../../src/organizations/time-zones.ts';

const known: ReadonlyArray<readonly [given: string, canonical: string]> = [
  ['Europe/Copenhagen', 'Europe/Copenhagen'],
  ['europe/COPENHAGEN', 'Europe/Copenhagen'],
  ['US/Eastern', 'America/New_York'],
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['Zulu', 'UTC'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
];

for (const [given, canonical] of known) {
  test(`the time zone ${given} has the canonical name ${canonical}`, () =>
    assert.equal(toTimeZone(given), canonical));
}

for (const text of ['', ' UTC', '+01:00', '-05', 'UTC+1', 'Europe', 'Mars/Base', 'PST', 'ist']) {
  test(`"${text}" is not a time zone`, () => assert.equal(toTimeZone(text), null));
}
for (const text of ['SystemV/EST5', 'Etc/Unknown', 'Factory', 'Europe/Oslo\0', '__proto__']) {
  test(`${JSON.stringify(text)} is not a time zone`, () => assert.equal(toTimeZone(text), null));
}

test('every zone of the runtime is a time zone, with a name that is canonical itself', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const canonical = toTimeZone(zone);
    assert.equal(canonical, CURRENT_ZONE_NAMES[zone] ?? zone);
    assert.equal(toTimeZone(canonical ?? ''), canonical);
  }
});
