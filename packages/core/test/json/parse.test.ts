import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProbityError } from '../../src/errors.ts';
import { parseStrictJson } from '../../src/json/parse.ts';
import { MAX_JSON_DEPTH, measureJson } from '../../src/json/shape.ts';
import { runAtOnce } from '../../src/json/steps.ts';

function parse(text: string): Promise<unknown> {
  return parseStrictJson(Buffer.from(text));
}

async function refusal(bytes: string | Uint8Array): Promise<ProbityError> {
  try {
    await parseStrictJson(Buffer.from(bytes as string));
  } catch (error) {
    assert.ok(error instanceof ProbityError);
    assert.equal(error.kind, 'invalid_request');
    return error;
  }
  throw new assert.AssertionError({ message: 'the body was accepted' });
}

test('every JSON value without forbidden text is parsed as it was written', async () => {
  const values = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }).filter(isAllowed);
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(await parse(text), JSON.parse(text));
    }),
  );
});

test('parsing any bytes as JSON returns a value or throws invalid_request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      try {
        await parseStrictJson(bytes);
      } catch (error) {
        assert.ok(error instanceof ProbityError && error.kind === 'invalid_request');
      }
    }),
  );
});

const malformed: ReadonlyArray<readonly [string, string | Uint8Array, RegExp]> = [
  ['an empty body', '', /the body is empty/],
  ['only white space', ' \n\t', /the body is empty/],
  ['an unfinished object', '{"a":', /it ends too early/],
  ['a bare word', 'hello', /position|unexpected character/],
  ['something behind the value', '{} {}', /position|unexpected character/],
  ['a byte that is no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /not valid UTF-8/],
  ['an overlong form', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), /not valid UTF-8/],
  ['a surrogate encoded in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /not valid UTF-8/],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), /not valid/],
];

for (const [name, body, message] of malformed) {
  test(`a JSON body with ${name} is refused with the reason`, async () => {
    assert.match((await refusal(body)).message, message);
  });
}

test('the error message of a bad JSON body never quotes the body', async () => {
  for (const body of ['{"password": hunter2}', 'hunter2', '{"a": "hunter2" hunter2']) {
    assert.doesNotMatch((await refusal(body)).message, /hunter2/);
  }
});

const forbidden: ReadonlyArray<readonly [string, string, string, RegExp]> = [
  ['U+0000 in a value', '{"a":{"b":["x","\\u0000"]}}', 'a.b.1', /U\+0000/],
  ['U+0000 in a name', '{"a":{"x\\u0000":1}}', 'a.x\uFFFD', /U\+0000/],
  ['a lone high surrogate', '{"a":"\\ud800"}', 'a', /lone surrogates/],
  ['a lone low surrogate in a list', '["ok","\\udc00!"]', '1', /lone surrogates/],
  [
    'a member named __proto__',
    '{"a":{"__proto__":{"admin":true}}}',
    'a.__proto__',
    /not an allowed/,
  ],
  ['a member named twice', '{"a":1,"b":2,"a":1}', 'a', /given twice/],
  [
    'a member named twice deep down',
    '[{"x":{"y":[0,1,{"k":1,"\\u006b":2}]}}]',
    '0.x.y.2.k',
    /twice/,
  ],
  ['a member named twice behind odd strings', '{"\\"":":","\\\\":"{","c":[],"c":{}}', 'c', /twice/],
];

for (const [name, body, field, message] of forbidden) {
  test(`a JSON body with ${name} is refused, naming the field`, async () => {
    const [detail] = (await refusal(body)).details ?? [];
    assert.equal(detail?.field, field);
    assert.match(detail?.message ?? '', message);
  });
}

test('a JSON body may hold surrogate pairs and a member named constructor', async () => {
  assert.deepEqual(await parse('{"constructor":"\\ud83d\\ude00"}'), { constructor: '😀' });
});

test('a JSON body may hold colons in strings, and equal member names in different objects', async () => {
  for (const text of ['{"a":{"a":{"a":1}},"A":[{"a":1},{"a":2}]}', '{"a:":":","b":"\\":\\\\"}']) {
    assert.deepEqual(await parse(text), JSON.parse(text));
  }
});

test('a JSON text with any member duplicated is refused, whatever its value', async () => {
  const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), {
    minKeys: 1,
  });
  await fc.assert(
    fc.asyncProperty(objects.filter(isAllowed), fc.nat(), async (object, choice) => {
      const names = Object.keys(object);
      const name = names[choice % names.length] as string;
      const text = JSON.stringify(object);
      const repeated = `${text.slice(0, -1)},${JSON.stringify(name)}:null}`;
      assert.deepEqual((await refusal(repeated)).details, [
        { field: name, message: 'is given twice' },
      ]);
    }),
  );
});

test('JSON nesting is allowed to the limit and refused beyond, however deep', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(await parse(nested(MAX_JSON_DEPTH)));
  assert.match((await refusal(nested(MAX_JSON_DEPTH + 1))).message, /more than 64 levels/);
  assert.match((await refusal(nested(200_000))).message, /more than 64 levels/);
  const objects = '{"a":'.repeat(MAX_JSON_DEPTH + 1);
  assert.match(
    (await refusal(`${objects}1${'}'.repeat(MAX_JSON_DEPTH + 1)}`)).message,
    /more than 64/,
  );
});

/** Makes a body so rich in values that it is parsed by the parser that can be interrupted. */
function amongMany(text: string): string {
  return `[${text}${',0'.repeat(20_001)}]`;
}

test('a body of many values is parsed as JSON.parse does', async () => {
  const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }).filter(isAllowed);
  const parseOne = async (text: string) => ((await parse(amongMany(text))) as unknown[])[0];
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(await parseOne(text), JSON.parse(text));
    }),
    { numRuns: 30 },
  );
  for (const text of ['-0', '1e400', '1E-2', '0.1', '12345678901234567890', '"\\ud83d\\ude00"']) {
    assert.deepEqual(await parseOne(text), JSON.parse(text), text);
  }
  assert.ok(await parse(`\ufeff \n${amongMany('1')}\r\n\t `));
});

const almostJson = [
  '01',
  '-',
  '1.',
  '.5',
  '+1',
  '1e',
  '0x1',
  'NaN',
  'nul',
  'tru',
  'truex',
  '',
  '1 2',
  '[1,]',
  '{"a":1,}',
  '{"a"}',
  '{"a" 1}',
  '{a:1}',
  "'a'",
  '"a',
  '"\\x"',
  '"\\u12g4"',
  '"\n"',
  '"\t"',
  '[1}',
  '1]',
  '{"a":1]',
  '/**/1',
];
for (const text of almostJson) {
  test(`a body of many values with ${JSON.stringify(text)} is not JSON`, async () => {
    assert.throws(() => JSON.parse(amongMany(text)));
    assert.match((await refusal(amongMany(text))).message, /not valid JSON/);
  });
}

test('a body of many values obeys the same rules', async () => {
  const cases: [text: string, field: string, message: RegExp][] = [
    ['{"a":1,"a":2}', '0.a', /given twice/],
    ['{"__proto__":{"admin":true}}', '0.__proto__', /not an allowed/],
    ['{"b":"\\u0000"}', '0.b', /U\+0000/],
    ['{"b":"\\ud800"}', '0.b', /lone surrogates/],
  ];
  for (const [text, field, message] of cases) {
    const [detail] = (await refusal(amongMany(text))).details ?? [];
    assert.equal(detail?.field, field);
    assert.match(detail?.message ?? '', message);
  }
  assert.match((await refusal(`${amongMany('1')} 1`)).message, /not valid JSON/);
  assert.match((await refusal(amongMany('1').slice(0, -1))).message, /ends too early/);
});

test('an object of more than 20,000 members is refused, and as many in several objects are not', async () => {
  const object = (count: number) => {
    return `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}`;
  };
  assert.match((await refusal(object(20_001))).message, /more than 20000 members/);
  assert.ok(await parse(`[${object(20_000)},${object(10)}]`));
});

const richBodies: [name: string, body: () => string, isValid: boolean][] = [
  ['numbers', () => `[${'1,'.repeat(499_990)}1]`, true],
  ['objects', () => JSON.stringify(Array(60_000).fill({ value: 'a', type: 'b' })), true],
  ['objects and a duplicate', () => `[${'{"a":1},'.repeat(200_000)}{"a":1,"a":2}]`, false],
];
for (const [name, body, isValid] of richBodies) {
  test(`the event loop turns while a body of many ${name} is parsed`, async () => {
    const bytes = Buffer.from(body());
    let turns = 0;
    let isParsing = true;
    const count = (): void => {
      turns += 1;
      if (isParsing) setImmediate(count);
    };
    setImmediate(count);
    const accepted = await parseStrictJson(bytes).then(
      () => true,
      () => false,
    );
    isParsing = false;
    assert.equal(accepted, isValid);
    assert.ok(turns >= 5, `${turns} turns`);
  });
}

test('a body beyond a limit is refused before anything is parsed', async () => {
  for (const text of ['['.repeat(2_000_000), ','.repeat(2_000_000), '{"a":'.repeat(2_000_000)]) {
    assert.match((await refusal(text)).message, /more than/);
  }
});

test('a number of more than 1,000 digits is refused at its position, whatever surrounds it', async () => {
  const digits = (count: number) => `${'1'.repeat(count - 4)}.5e3`;
  for (const [before, after] of [
    ['', ''],
    ['{"a":-', '}'],
    ['[', `${',0'.repeat(20_001)}]`],
  ]) {
    const text = before + digits(1_000) + after;
    assert.deepEqual(await parse(text), JSON.parse(text));
    const message = `more than 1000 digits at position ${before?.length}\\.`;
    assert.match((await refusal(before + digits(1_001) + after)).message, new RegExp(message));
  }
  assert.equal(await parse(`"${'1'.repeat(1_001)}"`), '1'.repeat(1_001));
});

test('the values, members and escapes of a JSON text are counted as they are parsed', () => {
  const count = (value: unknown): { values: number; members: number } => {
    if (typeof value !== 'object' || value === null) return { values: 0, members: 0 };
    const children = Object.values(value);
    const total = { values: children.length, members: Array.isArray(value) ? 0 : children.length };
    for (const child of children.map(count)) {
      total.values += child.values;
      total.members += child.members;
    }
    return total;
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 2 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const escapes = text.match(/\\./g)?.length ?? 0;
      const shape = runAtOnce(measureJson(Buffer.from(text)));
      assert.deepEqual(shape, { ...count(value), escapes });
    }),
  );
});

const costly: [name: string, text: string, parts: number][] = [
  ['values', '0', 0],
  ['arrays', `[]${',[]'.repeat(9_999)}`, 10_000],
  ['names of members', `{"a":0}${',{"a":0}'.repeat(9_999)}`, 30_000],
  ['escapes', `"${'\\n'.repeat(10_000)}"`, 10_000],
];
for (const [name, text, parts] of costly) {
  test(`the memory of many ${name} is counted before they are parsed`, async () => {
    const full = new Error('full');
    const taken: number[] = [];
    const take = (bytes: number) => {
      taken.push(bytes);
      throw full;
    };
    // What is malformed would be found, were it parsed.
    const bytes = Buffer.from(`${amongMany(text)}]`);
    await assert.rejects(parseStrictJson(bytes, { take }), full);
    assert.equal(taken.length, 1);
    assert.ok((taken[0] ?? 0) >= (20_001 + parts) * 64, `${taken[0]} bytes`);
  });
}

/** Whether the strict parser promises to accept the value. */
function isAllowed(value: unknown): boolean {
  const text = JSON.stringify(value);
  return !/\\u0000|\\ud[89a-f]/i.test(text) && !text.includes('"__proto__"');
}
