import assert from 'node:assert/strict';
import test from 'node:test';
import { parseLabelFilter } from '../../src/records/label-filter.ts';

test('labels are pairs of name and value, separated by commas', () => {
  assert.deepEqual(parseLabelFilter('team:a'), [['team', 'a']]);
  assert.deepEqual(parseLabelFilter('team:a,run:1:2'), [
    ['team', 'a'],
    ['run', '1:2'],
  ]);
  assert.deepEqual(parseLabelFilter('team:'), [['team', '']]);
});

test('a backslash makes a separator a character of the label', () => {
  assert.deepEqual(parseLabelFilter(String.raw`a\:b:c\,d,e:\\`), [
    ['a:b', 'c,d'],
    ['e', '\\'],
  ]);
});

test('text without a name or a value is refused', () => {
  for (const text of ['', 'team', ':a', 'team:a,', 'team:a,,b:c']) {
    assert.equal(parseLabelFilter(text), null, text);
  }
});
