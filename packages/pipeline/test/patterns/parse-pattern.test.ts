import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { parsePattern } from '../../src/patterns/parse-pattern.ts';
import type { Alternative, Element } from '../../src/patterns/syntax.ts';

const parser = new RegExpParser({ ecmaVersion: 2025 });
/** Pieces that mean different things by what stands beside them and by the flags. */
const PIECES = [
  ...['a', 'b', '7', '0', '-', ',', '_', '{', '}', ']', '/', '=', '!', '<', '😀', 'é', '\n'],
  ...['(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>', '(?<é>', ')', '|', '^', '$', '.'],
  ...['*', '+', '?', '*?', '{2}', '{1,}', '{0,3}', '{1,3}?', '{,3}', '{2'],
  ...['[', '[^', '[]', '[^]', '[a-z]', '[\\w-.]', '[a-\\d]', '[-a]', '[a-]', '[(]', '[\\]]'],
  ...['[\\b]', '[\\c1]', '[\\c]', '[\\-x]', '[\\u{61}-\\u{7a}]', '[\\ud83d\\ude00-\\ud83d\\ude42]'],
  ...[
    '[[a-z]&&[aeiou]]',
    '[\\p{L}--[a-z]]',
    '[[a]b]',
    '[^[\\p{L}]]',
    '[\\q{ab|c}d]',
    '[\\p{RGI_Emoji}]',
  ],
  ...['\\d', '\\D', '\\s', '\\W', '\\b', '\\B', '\\p{L}', '\\P{Script=Greek}', '\\p{RGI_Emoji}'],
  ...['\\1', '\\2', '\\10', '\\8', '\\0', '\\012', '\\400', '\\k<n>', '\\k', '\\cA', '\\c', '\\c1'],
  ...['\\x41', '\\x4', '\\u0061', '\\u006', '\\u{61}', '\\u{2}', '\\ud83d\\ude00', '\\ud83d'],
  ...['\\t', '\\n', '\\/', '\\.', '\\-', '\\q', '\\^', '\\\\', '\\e'],
] as const;

describe('parsePattern', () => {
  it('reads what RegExp takes as another parser does, with every flag that says how it is read', () => {
    let compared = 0;
    const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 });
    const property = fc.property(pieces, fc.constantFrom('', 'u', 'v'), (parts, flags) => {
      const source = parts.join('');
      if (!isTaken(source, flags)) return;
      compared++;
      compare(source, flags);
    });
    fc.assert(property, { numRuns: 20_000, seed: 11 });
    assert.ok(compared > 2_000, String(compared));
  });

  it('reads each piece alone and repeated', () => {
    for (const piece of PIECES) {
      for (const flags of ['', 'u', 'v']) {
        for (const source of [
          piece,
          `(a)${piece}{2}`,
          `[${piece}]`,
          `[a-${piece}]`,
          `(?<n>${piece})`,
        ]) {
          if (isTaken(source, flags)) compare(source, flags);
        }
      }
    }
  });
});

function isTaken(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function compare(source: string, flags: string): void {
  const mode = { unicode: flags === 'u', unicodeSets: flags === 'v' };
  let expected: unknown;
  try {
    expected = parser.parsePattern(source, 0, source.length, mode).alternatives.map(alternativeOf);
  } catch {
    // The other parser knows fewer properties than newer engines.
    return;
  }
  assert.deepEqual(parsePattern(source, mode).map(plain), expected, `/${source}/${flags}`);
}

/** Ours, without what differs in form only. */
function plain({ elements }: Alternative): unknown {
  return elements.map(plainElement);
}

function plainElement(element: Element): unknown {
  const { type, raw } = element;
  switch (type) {
    case 'Group':
      return { type, raw, alternatives: element.alternatives.map(plain) };
    case 'Quantifier':
      return { ...element, element: plainElement(element.element) };
    case 'Assertion':
      return { type, raw, alternatives: (element.alternatives ?? []).map(plain) };
    case 'Operation':
      return { type, raw };
    case 'CharacterClass':
      return { ...element, elements: element.elements.map(plainElement) };
    default:
      return element;
  }
}

function alternativeOf({ elements }: AST.Alternative): unknown {
  return elements.map(elementOf);
}

function elementOf(element: AST.Element | AST.CharacterClassElement): unknown {
  const { raw } = element;
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return { ...groupOf(element.alternatives, raw), type: 'Group' };
    case 'Quantifier': {
      const { type, min, max } = element;
      return { type, min, max, raw, element: elementOf(element.element) };
    }
    case 'Assertion':
      return groupOf('alternatives' in element ? element.alternatives : [], raw);
    case 'Character':
      return { type: 'Character', value: element.value, raw };
    case 'CharacterClassRange':
      return { type: 'Range', min: element.min.value, max: element.max.value, raw };
    case 'CharacterSet':
      return setOf(element);
    case 'CharacterClass': {
      const elements = element.elements.map(elementOf);
      return { type: 'CharacterClass', negate: element.negate, elements, raw };
    }
    case 'ExpressionCharacterClass':
      return { type: 'Operation', raw };
    case 'ClassStringDisjunction':
      return { type: 'Strings', raw };
    default:
      return { type: element.type, raw };
  }
}

function groupOf(alternatives: readonly AST.Alternative[], raw: string) {
  return { type: 'Assertion', raw, alternatives: alternatives.map(alternativeOf) };
}

function setOf(set: AST.CharacterSet): unknown {
  const { kind, raw } = set;
  if ('strings' in set && set.strings) return { type: 'Strings', raw };
  return { type: 'CharacterSet', kind, negate: 'negate' in set && set.negate, raw };
}
