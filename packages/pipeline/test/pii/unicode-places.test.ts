import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';

/** The part between « and » is the personal data, as it stands in the text. */
const CASES: readonly string[] = [
  '😀👩‍👩‍👧 mail «a.b@c.org» 😀',
  '👍🏽 SSN «５３６－２２－８７２６» 👍🏽',
  'card «4242\u200b4242\u200b42424242» x',
  'IBAN «ＤＥ８９３７０４００４４０５３２０１３０００»',
  'tel «+4\u200b9 30 9018\u200b20» ok',
  '«１９２．１６８．１．１７» ip',
  'passport «𝟓𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖» ok',
  'هاتف «٠٥٠١٢٣٤٥٦٧»',
  'फ़ोन «९८७६५४३२१०»',
  'mail «j\u00adane@exa\u00admple.com»!',
  '🇩🇪IBAN «DE89 3704 0044 0532 0130 00»🇩🇪',
  'ＴＥＬ：«０３－１２３４－５６７８»',
  '\ud83d alone «536-22-8726» \ude00',
  'card «4111\u00a01111\u00a01111\u00a01111»',
  'SSN: «536\u201122\u20118726»',
  'call \u202a«+1 415 555 2671»\u202c now',
  '\ufeff«jane@x.org»',
];

describe('the place of personal data', () => {
  const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });

  for (const marked of CASES) {
    it(`the place of personal data is given in UTF-16 units of the text as sent: ${JSON.stringify(marked)}`, async () => {
      const response = marked.replace(/[«»]/g, '');
      const { findings } = await pipeline.scan({ response });
      assert.deepEqual(
        findings.map(({ start, end }) => [start, end]),
        [[marked.indexOf('«'), marked.indexOf('»') - 1]],
      );
    });
  }
});
