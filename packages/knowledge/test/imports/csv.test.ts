import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../src/imports/csv.ts';

const SOURCE = 'https://example.org/';

async function* inChunks(...chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield chunk;
}

test('a character that takes two units is read whole wherever a CSV file is cut', async () => {
  const claims = Array.from({ length: 40 }, (_, at) => `${'x'.repeat(at)}${'😀'.repeat(60)}`);
  const text = ['claim,source_url', ...claims.map((claim) => `${claim},${SOURCE}`)].join('\n');
  const read: unknown[] = [];
  for await (const row of readCsv(inChunks(text))) read.push(row);
  assert.deepEqual(
    read.map((row) => (row as { nugget?: { claim: string } }).nugget?.claim),
    claims,
  );
});

test('the event loop turns while a CSV file of very short rows is read, however large its chunks are', async () => {
  let turns = 0;
  let rows = 0;
  const count = () => {
    turns += 1;
    if (rows < 20_000) setImmediate(count);
  };
  setImmediate(count);
  for await (const _ of readCsv(inChunks('claim,source_url\n', 'a\n'.repeat(20_000)))) rows += 1;
  assert.equal(rows, 20_000);
  assert.ok(turns >= 30, `${turns} turns of the event loop`);
});

/** The rows of a CSV text, by line: a nugget's fields, or its faults. */
async function rowsOf(...chunks: readonly string[]) {
  const rows: unknown[] = [];
  for await (const row of readCsv(inChunks(...chunks))) {
    if ('faults' in row)
      rows.push([row.line, row.faults.map(({ field, message }) => [field, message])]);
    else {
      const { claim, sourceUrl, category = null, confidence = null } = row.nugget;
      rows.push([row.line, claim, sourceUrl, category, confidence]);
    }
  }
  return rows;
}

const A = `${SOURCE}1`;
const EXPECTED = [2, 'Köln lies on the Rhine, in the west.', A, 'geo', '0.8'];

const forms: ReadonlyArray<readonly [string, string, number?]> = [
  [
    'commas and quotes',
    `claim,source_url,category,confidence\n"Köln lies on the Rhine, in the west.",${A},geo,"0,8"\n`,
  ],
  [
    'semicolons and decimal commas',
    `claim;source_url;category;confidence\nKöln lies on the Rhine, in the west.;${A};geo;0,8\n`,
  ],
  [
    'tabs',
    `claim\tsource_url\tcategory\tconfidence\nKöln lies on the Rhine, in the west.\t${A}\tgeo\t0,8\n`,
  ],
  [
    'a line that names the separator',
    `sep=;\nclaim;source_url;category;confidence\nKöln lies on the Rhine, in the west.;${A};geo;0,8\n`,
    3,
  ],
  [
    'such a line in quotes, with empty cells',
    `"sep=;";;\nclaim;source_url;category;confidence\nKöln lies on the Rhine, in the west.;${A};geo;0,8\n`,
    3,
  ],
  [
    'a line that names the tab',
    `sep=\t\nclaim\tsource_url\tcategory\tconfidence\nKöln lies on the Rhine, in the west.\t${A}\tgeo\t0,8\n`,
    3,
  ],
  [
    'names in quotes and in other words',
    `"Claim";"Source URL";"Category";"CONFIDENCE"\n"Köln lies on the Rhine, in the west.";"${A}";"geo";"0,8"\n`,
  ],
  [
    'empty columns at the start, within and at the end',
    `;claim;source_url;;category;confidence;;\n;Köln lies on the Rhine, in the west.;${A};;geo;0,8;;;;\n`,
  ],
  [
    'empty rows before the header and after it',
    `;;;\n\n;;;\nclaim;source_url;category;confidence\n;;;\n ; ;;\nKöln lies on the Rhine, in the west.;${A};geo;0,8\n;;;;;;\n\n`,
    7,
  ],
];

for (const [title, text, line = 2] of forms) {
  test(`a CSV file with ${title} is read`, async () => {
    const [, ...facts] = EXPECTED;
    assert.deepEqual(await rowsOf(text), [[line, ...facts]]);
    assert.deepEqual(await rowsOf(...text), [[line, ...facts]], 'character by character');
  });
}

test('a cell in a column without a name is refused with the separator', async () => {
  const text = `claim;source_url;;\nA;${A};;\nB;C;${A};\nD;${A};;;x\n`;
  assert.deepEqual(await rowsOf(text), [
    [2, 'A', A, null, null],
    [
      3,
      [
        [
          null,
          'has a cell in column 3, for which the header has no name; put cells with semicolons in quotes',
        ],
      ],
    ],
    [
      4,
      [
        [
          null,
          'has a cell in column 5, for which the header has no name; put cells with semicolons in quotes',
        ],
      ],
    ],
  ]);
});

test('a header without a required column is refused with the separator', async () => {
  await assert.rejects(rowsOf('claim;url\n'), (error: unknown) => {
    const { details } = error as { details: ReadonlyArray<{ field: string; message: string }> };
    assert.deepEqual(details[0], {
      field: 'source_url',
      message: 'is a column that the header must have; cells are separated by semicolons',
    });
    return true;
  });
});
