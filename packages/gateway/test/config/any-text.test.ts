import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { exampleFile } from '../../src/config/example.ts';
import { readConfig } from '../../src/config/read-config.ts';

const EXAMPLE = exampleFile();

/** What breaks YAML: pieces of its own syntax, at any place of a file. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '\n',
    '- ',
    ': ',
    '[',
    '{',
    '}',
    '"',
    "'",
    '&a ',
    '*a',
    '!!x ',
    '<<: ',
    '${',
    '|\n',
  ),
);

test('any bytes are told as a configuration or as errors with places, and never throw', async () => {
  const damaged = fc
    .tuple(fc.nat(EXAMPLE.length), fc.nat(40), fc.array(piece, { maxLength: 4 }))
    .map(([at, cut, pieces]) => EXAMPLE.slice(0, at) + pieces.join('') + EXAMPLE.slice(at + cut));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    damaged.map((text) => Buffer.from(text)),
    fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      const { config, issues } = await readConfig(given, {}, '.');
      const errors = issues.filter(({ severity }) => severity === 'error');
      assert.equal(config === undefined, errors.length > 0);
      for (const { line, column, message } of issues) {
        assert.ok(line >= 1 && column >= 1 && message !== '');
      }
    }),
    { numRuns: roundsOf(300) },
  );
});
