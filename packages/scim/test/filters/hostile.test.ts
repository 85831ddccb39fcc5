import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import type { JsonObject } from '../../src/index.ts';
import {
  GROUP,
  matches,
  parseAttributes,
  parseFilter,
  parsePatchPath,
  project,
  USER,
} from '../../src/index.ts';

const MAX_CPU_MS = 500;
const KB = 1_024;

const TOO_MUCH: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a filter of 60 KB': [`title eq "${'x'.repeat(60 * KB)}"`, /longer than 4096 characters/],
  '10,000 brackets': ['('.repeat(10_000), /longer/],
  '10,000 value paths': ['emails['.repeat(10_000), /longer/],
  '10,000 terms': [Array(10_000).fill('title pr').join(' or '), /longer/],
  'a filter of 4,097 characters': [`title eq "${'x'.repeat(4_086)}"`, /longer/],
  '21 levels of brackets': [`${'('.repeat(21)}title pr${')'.repeat(21)}`, /20 levels of brackets/],
  '21 levels of not': [`${'not ('.repeat(21)}title pr${')'.repeat(21)}`, /20 levels/],
  '20 levels around a value path': [
    `${'('.repeat(20)}emails[type pr]${')'.repeat(20)}`,
    /20 levels/,
  ],
  'brackets up to the length': ['('.repeat(4_096), /20 levels/],
  'not up to the length': ['not('.repeat(1_024), /20 levels/],
  '101 terms': [Array(101).fill('title pr').join(' or '), /more than 100 comparisons/],
  '101 terms in value paths': [Array(101).fill('ims[type pr]').join(' and '), /100 comparisons/],
  'quotes up to the length': ['"'.repeat(4_095), /./],
  'backslashes up to the length': [`title eq "${'\\'.repeat(4_085)}`, /quote is not closed/],
  'white space up to the length': [' '.repeat(4_096), /the end/],
  'spaces around an open quote': [`${' '.repeat(2_000)}"${' '.repeat(2_000)}`, /quote/],
  'digits up to the length': [`active eq ${'1'.repeat(4_086)}`, /value/],
  'a time of digits': [`meta.created gt "2011-05-13T04:42:34.${'1'.repeat(4_000)}Z"`, /time/],
  'dots up to the length': [`${'name.'.repeat(818)} pr`, /no attribute/],
};

for (const [name, [filter, message]] of Object.entries(TOO_MUCH)) {
  test(`${name} is refused in little CPU time`, async () => {
    const refuse = () =>
      assert.throws(() => parseFilter(filter, USER), { reason: 'invalidFilter', message });
    await assertCpuBelow(MAX_CPU_MS, refuse);
    assert.throws(() => parsePatchPath(`emails[${filter}]`, USER), {
      reason: /^invalid(?:Filter|Path)$/,
    });
  });
}

test('filters at their limits are accepted: 4,096 characters, 100 terms, 20 levels', () => {
  parseFilter(`title eq "${'x'.repeat(4_085)}"`, USER);
  parseFilter(Array(100).fill('title pr').join(' or '), USER);
  parseFilter(`${'('.repeat(20)}title pr${')'.repeat(20)}`, USER);
});

test('limits of filters can be set', () => {
  const limits = { maxLength: 30, maxTerms: 2, maxDepth: 1 };
  parseFilter('(title pr) or (userType pr)', USER, limits);
  assert.throws(() => parseFilter('((title pr))', USER, limits), /more than 1 levels/);
  assert.throws(() => parseFilter('id pr or id pr or id pr', USER, limits), /more than 2/);
  assert.throws(() => parseFilter('title eq "0123456789012345678901"', USER, limits), /than 30/);
});

test('100 comparisons of a group of 1,000 members take little CPU time', async () => {
  const members = Array.from({ length: 1_000 }, (_, index) => ({
    value: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    display: `Member ${index}`,
  }));
  const text = Array(100).fill('members.display co "no such member"').join(' or ');
  const filter = parseFilter(text, GROUP);
  assert.equal(matches(filter, { members }), false);
  await assertCpuBelow(MAX_CPU_MS, () => matches(filter, { members }));
});

test('names of prototypes are neither attributes nor values', () => {
  const body = JSON.parse('{"__proto__": {"title": "x"}, "userName": "a"}') as JsonObject;
  assert.equal(matches(parseFilter('title pr', USER), body), false);
  assert.equal(matches(parseFilter('title pr', USER), Object.create({ title: 'x' })), false);
  for (const name of ['__proto__', 'constructor', 'toString', 'name.constructor']) {
    assert.throws(() => parseFilter(`${name} pr`, USER), { reason: 'invalidFilter' });
    assert.throws(() => parsePatchPath(name, USER), { reason: 'invalidPath' });
  }
});

test('60 KB of attribute names for a page of 1,000 users take little CPU time', async () => {
  const names = Array.from({ length: 6_000 }, (_, index) => `a${index},userName`).join(',');
  const users = Array.from({ length: 1_000 }, (_, index) => ({ id: `${index}`, userName: 'a' }));
  const select = () => {
    const projection = parseAttributes({ attributes: names });
    return users.map((user) => project(user, projection, USER));
  };
  assert.deepEqual(select()[7], { id: '7', userName: 'a' });
  await assertCpuBelow(MAX_CPU_MS, select);
});
