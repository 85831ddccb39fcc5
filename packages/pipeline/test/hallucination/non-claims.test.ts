import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { isCorrectArithmetic, numbersOf } from '../../src/hallucination/arithmetic.ts';
import type { NonClaimKind } from '../../src/hallucination/non-claim-form.ts';
import { nonClaimAt } from '../../src/hallucination/non-claims.ts';
import { readWords } from '../../src/language/sentences.ts';
import { sharedLexicon } from '../../src/language/shared-lexicon.ts';
import { wordSpanOf } from '../../src/language/words.ts';

/** Sentences in brackets, in their lines. */
const NON_CLAIMS: Readonly<Record<NonClaimKind, readonly string[]>> = {
  marker: ['[1]. Open the portal.', ' [2]) Wait', '([3]) Go on', '[a]. first'],
  heading: [
    '## [Opening hours]',
    '**[Battery life]**',
    '[Key features]:',
    '**[Basic]:**',
    '- **[Pros]**',
  ],
  question: [
    '[Would you like to know more]?',
    "[Is there anything else you'd like to know]?",
    '[Which size would you need]?',
  ],
  greeting: [
    '[Hello]!',
    '[Hi there].',
    '[Good morning]!',
    '[Dear Ms Hofer],',
    '[Guten Tag].',
    '[Bonjour] !',
    '¡[Hola]!',
  ],
  thanks: [
    '[Thank you for your patience].',
    '[Thanks a lot]!',
    "[You're very welcome]!",
    '[No problem]!',
    '[Gern geschehen]!',
    '[Avec plaisir] !',
    '[De nada].',
  ],
  agreement: [
    '[Sure]!',
    '[Of course].',
    '[Great question]!',
    '[I understand].',
    '[Natürlich].',
    '[Claro].',
  ],
  closing: [
    '[Enjoy]!',
    '[Have a great day]!',
    '[Good luck with the move]!',
    '[Get well soon].',
    '[Kind regards]',
    '[Bon voyage] !',
  ],
  apology: [
    "[I'm sorry to hear that].",
    '[My apologies].',
    '[We apologize for the inconvenience].',
    '[Es tut mir leid].',
  ],
  offer: [
    '[Let me know if you need anything else]!',
    "[I'd be happy to explain how it works].",
    '[I can send you the link].',
    '[Please feel free to ask].',
    '[I hope this helps]!',
    "[If you tell me the size, I'll look it up].",
    "[Please ask your team lead if you're unsure].",
  ],
  announcement: [
    '[Here is a comparison of the two plans]',
    "[Here's a short list].",
    '[In short].',
    '[Let me check that for you].',
  ],
  reservation: [
    '[It depends on the size of your team].',
    '[There is no single right answer].',
    '[That depends].',
  ],
  documents: [
    "[The text doesn't say whether the lamp can be repaired].",
    '[The policy does not mention weddings].',
    "[I couldn't find anything about schools in the document].",
    '[There is no information about parking].',
    '[The recipe says nothing about wine].',
    '[Unfortunately, this is not mentioned in the article].',
  ],
  'first person': [
    "[I'd start with the second one].",
    '[I think both are fine].',
    "[I'm just an AI assistant].",
  ],
};

/** Sentences that look like these and say something. */
const CLAIMS = [
  '[The guarantee is three years].',
  '[We will close the office on Friday].',
  '[I can confirm that the guarantee lasts five years].',
  '[I think that the museum opens at ten].',
  '[Here is the price: 59 euros].',
  '[In short, the office moves to Mill Lane].',
  '[To sum up, dogs are allowed].',
  '[The text says that dogs are allowed].',
  "[The document doesn't mention dogs, but cats are allowed].",
  '[It is not included].',
  '[It depends on 3 factors].',
  '[Please pack your desk by Thursday].',
  "[I'm sorry, but the museum is closed on Mondays].",
  '[Is it open]. It is',
  '**[The warranty lasts 5 years]**',
  '[Price: 59 euros]:',
  'in [12] rooms',
];

describe('what is no claim', () => {
  for (const kind of Object.keys(NON_CLAIMS) as NonClaimKind[]) {
    it(`what is no claim: ${kind}`, () => {
      for (const marked of NON_CLAIMS[kind]) assert.equal(kindOf(marked), kind, marked);
    });
  }

  it('what is no claim is not taken for one that says something', () => {
    for (const marked of CLAIMS) assert.equal(kindOf(marked), undefined, marked);
    assert.equal(nonClaimAt('Of course.', { start: 0, end: 9 }, true), undefined);
  });

  it('what is no claim is found in time that grows with the text alone', async () => {
    const sentence = `I can help ${'you with that and '.repeat(11)}x`;
    const line = 'and so I can also gladly go on, '.repeat(20_000);
    const read = (text: string) => () => {
      for (let start = 0; start < text.length; start += 200) {
        nonClaimAt(text, { start, end: Math.min(text.length, start + 200) });
      }
    };
    await assertCpuBelow(500, read(sentence.repeat(100)));
    await assertCpuBelow(1_500, read(line));
  });
});

describe('a sentence that reckons', () => {
  const source = readWords(
    sharedLexicon(),
    'A ticket costs 12 euros, 6 euros for students. Tours start at 11.',
  );
  const isRight = (text: string) => {
    const words = readWords(sharedLexicon(), text);
    return isCorrectArithmetic(text, wordSpanOf(words, 0, words.count), () =>
      numbersOf(source, 0, source.count),
    );
  };

  it('a sentence that reckons rightly with numbers of the source is no claim', () => {
    assert.ok(
      isRight(
        'Two adults pay 24 euros and the student pays 6 euros, so that is 30 euros in total.',
      ),
    );
    assert.ok(isRight('For four people that makes 4 × 12 = 48 euros.'));
    assert.ok(isRight('One ticket costs 12 euros, so three tickets come to 36 euros.'));
  });

  it('a sentence that reckons wrongly, or shows nothing to reckon with, is one', () => {
    assert.ok(
      !isRight(
        'Two adults pay 24 euros and the student pays 6 euros, so that is 34 euros in total.',
      ),
    );
    assert.ok(!isRight('For four people that makes 4 × 12 = 46 euros.'));
    assert.ok(!isRight('So the result is 18.'));
    assert.ok(!isRight('A ticket costs 24 euros.'));
  });
});

function kindOf(marked: string): NonClaimKind | undefined {
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  return nonClaimAt(marked.replace('[', '').replace(']', ''), { start, end });
}
