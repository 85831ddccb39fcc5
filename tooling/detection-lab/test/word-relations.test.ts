import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { RELATION } from '@probity/pipeline/internal';
import type { RelationMap } from '../src/lib/word-relations.ts';
import { wordRelations } from '../src/lib/word-relations.ts';
import type { WordNet } from '../src/lib/wordnet.ts';
import { readWordNet } from '../src/lib/wordnet.ts';

/** A made-up dictionary in the form of WordNet's files. */
const NOUNS = [
  '00000001 06 n 01 boat 0 000 | something that floats',
  '00000002 06 n 02 ferry 0 ferryboat 0 001 @ 00000001 n 0000 | a boat for passengers; "the ferry left"',
  '00000003 06 n 01 barge 0 001 @ 00000001 n 0000 | a flat boat',
  '00000004 15 n 01 Norland 0 000 | a country',
  '00000005 15 n 01 Kesselport 0 001 #p 00000004 n 0000 | a town',
];
const ADJECTIVES = [
  '00000006 00 a 01 wet 0 001 ! 00000007 a 0101 | full of water',
  '00000007 00 a 02 dry 0 arid 0 001 ! 00000006 a 0101 | without water',
];
const SENSES = [
  'arid%3:00:00:: 00000007 1 2',
  'barge%1:06:00:: 00000003 1 3',
  'boat%1:06:00:: 00000001 1 9',
  'dry%3:00:00:: 00000007 1 8',
  'ferry%1:06:00:: 00000002 1 5',
  'ferryboat%1:06:00:: 00000002 1 1',
  'kesselport%1:15:00:: 00000005 1 0',
  'norland%1:15:00:: 00000004 1 0',
  'wet%3:00:00:: 00000006 1 7',
];
const LIMITS = { leastShare: 0.1, mainShare: 0.3, steps: 3, mostNarrower: 100 };

describe('relations of a dictionary', () => {
  let folder = '';
  let wordnet: WordNet;
  let relations: RelationMap;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dictionary-'));
    const files: Record<string, readonly string[]> = {
      'data.noun': ['  1 a licence', ...NOUNS],
      'data.verb': [],
      'data.adj': ADJECTIVES,
      'data.adv': [],
      'index.sense': SENSES,
    };
    for (const [name, lines] of Object.entries(files)) {
      writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
    }
    wordnet = readWordNet(folder);
    relations = wordRelations(wordnet, (word) => word, LIMITS);
  });
  after(() => rmSync(folder, { recursive: true }));

  const between = (a: string, b: string) => relations.get(a)?.get(b) ?? 0;

  it('relations of a dictionary come from files that are read whole', () => {
    assert.equal(wordnet.synsets.size, 7);
    assert.equal(wordnet.senses.get('ferry')?.[0]?.share, 1);
    assert.equal(
      wordnet.senses.get('ferry')?.[0]?.synset.gloss,
      'a boat for passengers; "the ferry left"',
    );
  });

  it('relations of a dictionary are synonyms, broader and narrower words, and kinds beside each other', () => {
    assert.equal(between('ferry', 'ferryboat'), RELATION.synonym);
    assert.equal(between('ferry', 'boat'), RELATION.broader);
    assert.equal(between('boat', 'ferry'), RELATION.narrower);
    assert.equal(between('ferry', 'barge'), RELATION.topic);
    assert.equal(between('boat', 'wet'), 0);
  });

  it('relations of a dictionary are opposites, by way of a synonym as well', () => {
    assert.ok((between('wet', 'dry') & RELATION.opposite) !== 0);
    assert.ok((between('arid', 'wet') & RELATION.opposite) !== 0);
    assert.equal(between('dry', 'arid'), RELATION.synonym);
  });
});
