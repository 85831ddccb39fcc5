import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../src/verification/certifiable.ts';

/** Why a content of one claim is refused that has the words of a statement. */
function reasonFor(claim: string, statement: string, content = claim) {
  const nugget = { id: 'nug_1', claim: statement, sourceUrl: 'https://a.example/', sequence: 1 };
  const start = content.indexOf(claim);
  const found = {
    ...{ text: claim, start, end: start + claim.length, status: 'supported' as const },
    ...{ similarity: 1, isRepetition: true, nuggets: [{ nugget, similarity: 1 }] },
  };
  return refusalOf(content, { verdict: 'verified', claims: [found] })?.reason ?? null;
}

const REFUNDS = 'Refunds are possible within 30 days.';
const DOSE = 'The maximum dose is 3 g per day.';

for (const [claim, statement] of [
  ...['-30', '~30', '<30', '≤30', '$30', '#30', '30%', '30‰', '"30"', '30’', '30,', '- 30'].map(
    (number) => [`Refunds are possible within ${number} days`, REFUNDS] as const,
  ),
  ['Refunds are possible\u0338 within 30 days', REFUNDS],
  ['Refunds are possible within\u200b 30 days', REFUNDS],
  ['Refunds are possible within 30 days*', REFUNDS],
  ['The ~~maximum~~ dose is 3 g per day', DOSE],
  ['The maximum dose is .3 g per day', DOSE],
  ['The maximum dose is 3. g per day', DOSE],
  ['The maximum dose is 3 G per day', DOSE],
  ['The fee is $3 for 5 items', 'The fee is 3 for $5 items.'],
] as const) {
  test(`${JSON.stringify(claim)} has not the signs of the nugget, and is not certified`, () => {
    assert.equal(reasonFor(claim, statement), 'free_wording');
  });
}

for (const [claim, statement] of [
  ['Refunds are possible within 30 days', REFUNDS],
  ['REFUNDS ARE POSSIBLE WITHIN 30 DAYS!', REFUNDS],
  ['Refunds are possible within thirty days', REFUNDS],
  ["It isn't $3 (net), but ≤ 5 %", 'It isn’t $3 (net), but ≤ 5 %.'],
  ['The maximum dose is 3 g per day', DOSE],
] as const) {
  test(`${JSON.stringify(claim)} is certified by its nugget`, () => {
    assert.equal(reasonFor(claim, statement), null);
  });
}

const CLAIM = 'Refunds are possible within 30 days';
for (const around of ['‼', '///', '^', '\ue000', '\u20e0', '%', '-', '¬', '🚫']) {
  test(`a text with ${JSON.stringify(around)} outside of its claims is not certified`, () => {
    assert.equal(reasonFor(CLAIM, REFUNDS, `${CLAIM}. ${around}`), 'unread_text');
  });
}

test('bullets, quotation marks and brackets outside of the claims are no text', () => {
  for (const content of [`- ${CLAIM}.`, `“${CLAIM}.”\n`, `(${CLAIM}.)`, `> ${CLAIM} …`]) {
    assert.equal(reasonFor(CLAIM, REFUNDS, content), null);
  }
});
