import assert from 'node:assert/strict';
import test from 'node:test';
import { RISK_CLASSES } from '../../src/ai-systems/types.ts';
import type { Signal } from '../../src/index.ts';
import {
  FRAMEWORKS,
  findObligation,
  matchObligations,
  OBLIGATIONS,
  SIGNALS,
} from '../../src/index.ts';
import { FRAMEWORK_SOURCES } from '../../src/obligations/catalogue.ts';
import { SIGNAL_HINTS } from '../../src/obligations/match.ts';

const DATE = /^20\d\d-[01]\d-[0-3]\d$/;

function countsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

test('every framework has its entries, each under an id and a reference of its own', () => {
  assert.deepEqual(
    countsOf(OBLIGATIONS, ({ framework }) => framework),
    {
      'EU AI Act': 29,
      'EU harmonised standards (draft)': 8,
      'NIST AI RMF': 22,
      'NIST AI 600-1': 12,
      'NIST COSAiS (draft)': 5,
      'ISO 42001': 15,
      'SOC 2': 11,
    },
  );
  assert.equal(new Set(OBLIGATIONS.map(({ id }) => id)).size, OBLIGATIONS.length);
  const references = OBLIGATIONS.map(({ framework, reference }) => `${framework} ${reference}`);
  assert.equal(new Set(references).size, references.length);
  assert.deepEqual(Object.keys(FRAMEWORK_SOURCES), [...FRAMEWORKS]);
  for (const obligation of OBLIGATIONS) assert.equal(findObligation(obligation.id), obligation);
  assert.equal(findObligation('constructor'), undefined);
});

test('the members of every entry are complete', () => {
  for (const {
    id,
    title,
    keywords,
    appliesFrom,
    transitions,
    riskClasses,
    ...rest
  } of OBLIGATIONS) {
    assert.match(id, /^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    assert.ok(title.length > 5 && title.length < 150, id);
    assert.ok(keywords.length > 0 && new Set(keywords).size === keywords.length, id);
    assert.ok(
      keywords.every((keyword) => keyword === keyword.trim() && keyword !== ''),
      id,
    );
    assert.ok(appliesFrom === null || DATE.test(appliesFrom), id);
    for (const transition of transitions) {
      assert.ok(
        DATE.test(transition.appliesFrom) && transition.appliesFrom > (appliesFrom ?? ''),
        id,
      );
    }
    assert.ok(riskClasses === null || riskClasses.every((each) => RISK_CLASSES.includes(each)), id);
    assert.doesNotMatch(title, /compl(?:y|ies|iant)/i);
    if (rest.status) assert.equal(rest.checked, false);
  }
  const act = OBLIGATIONS.filter(({ framework }) => framework === 'EU AI Act');
  assert.ok(act.every(({ appliesFrom, role }) => appliesFrom !== null && role.length > 0));
  assert.deepEqual(
    countsOf(act, ({ appliesFrom }) => appliesFrom ?? ''),
    {
      '2025-02-02': 2,
      '2025-08-02': 3,
      '2026-08-02': 1,
      '2026-12-02': 1,
      '2027-12-02': 22,
    },
  );
});

test('the articles that were added or split are there, and each names whose duty it is', () => {
  const roleOf = (id: string) => findObligation(id)?.role;
  assert.deepEqual(roleOf('euaia-art-26-5'), ['deployer']);
  assert.deepEqual(roleOf('euaia-art-26-6'), ['deployer']);
  assert.deepEqual(roleOf('euaia-art-12-2-3'), ['provider']);
  assert.deepEqual(roleOf('euaia-art-55-1-a'), ['gpai']);
  assert.deepEqual(findObligation('euaia-art-72')?.transitions, [
    { scope: 'High-risk systems of Annex I', appliesFrom: '2028-08-02' },
  ]);
  for (const id of ['euaia-art-4', 'euaia-art-5-intimate-images', 'euaia-art-15-4']) {
    assert.equal(findObligation(id)?.amendedBy, 'Regulation (EU) 2026/1744');
  }
});

/** The obligations of each signal, by framework. */
const LINKS: Readonly<Record<Signal, Readonly<Record<string, number>>>> = {
  security: { 'EU AI Act': 6, 'NIST AI RMF': 9, 'ISO 42001': 4 },
  accuracy: { 'EU AI Act': 5, 'ISO 42001': 3 },
  fairness: { 'EU AI Act': 3, 'NIST AI RMF': 1 },
  'general testing': { 'ISO 42001': 6, 'SOC 2': 7 },
};

test('a signal is linked to the obligations of its frameworks that share a keyword with it', () => {
  for (const signal of SIGNALS) {
    const ids = matchObligations([signal]);
    const found = countsOf(ids, (id) => findObligation(id)?.framework ?? '');
    assert.deepEqual(found, LINKS[signal], signal);
    const { frameworks, keywords } = SIGNAL_HINTS[signal];
    for (const obligation of OBLIGATIONS) {
      const isShared = obligation.keywords.some((keyword) => keywords.includes(keyword));
      const isHinted = frameworks.includes(obligation.framework);
      assert.equal(ids.includes(obligation.id), isShared && isHinted, obligation.id);
    }
  }
  assert.deepEqual(
    SIGNALS.map((signal) => matchObligations([signal]).length),
    [19, 8, 4, 13],
  );
});

test('signals together link each obligation once, and none link nothing', () => {
  const ids = matchObligations(['fairness', 'accuracy', 'accuracy']);
  assert.equal(new Set(ids).size, ids.length);
  // Annex IV(2)(g) is about both.
  assert.equal(ids.length, 8 + 4 - 1);
  assert.deepEqual(matchObligations([]), []);
  // A keyword of one signal does not count in a framework that only the other names.
  const both = matchObligations(['fairness', 'general testing']);
  assert.ok(!both.includes('nist-measure-2-1') && !both.includes('iso42001-a-9-3'));
});
