import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProbityError } from '../../src/errors.ts';
import { MAX_JSON_DEPTH, parseStrictJson } from '../../src/json/parse.ts';

function parse(text: string): unknown {
  return parseStrictJson(Buffer.from(text));
}

function refusal(bytes: string | Uint8Array): ProbityError {
  try {
    parseStrictJson(Buffer.from(bytes as string));
  } catch (error) {
    assert.ok(error instanceof ProbityError);
    assert.equal(error.kind, 'invalid_request');
    return error;
  }
  throw new assert.AssertionError({ message: 'the body was accepted' });
}

test('every JSON value without forbidden text is parsed as it was written', () => {
  const values = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }).filter(isAllowed);
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

test('parsing any bytes as JSON returns a value or throws invalid_request', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        parseStrictJson(bytes);
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
  test(`a JSON body with ${name} is refused with the reason`, () => {
    assert.match(refusal(body).message, message);
  });
}

test('the error message of a bad JSON body never quotes the body', () => {
  for (const body of ['{"password": hunter2}', 'hunter2', '{"a": "hunter2" hunter2']) {
    assert.doesNotMatch(refusal(body).message, /hunter2/);
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
  test(`a JSON body with ${name} is refused, naming the field`, () => {
    const [detail] = refusal(body).details ?? [];
    assert.equal(detail?.field, field);
    assert.match(detail?.message ?? '', message);
  });
}

test('a JSON body may hold surrogate pairs and a member named constructor', () => {
  assert.deepEqual(parse('{"constructor":"\\ud83d\\ude00"}'), { constructor: '😀' });
});

test('a JSON body may hold colons in strings, and equal member names in different objects', () => {
  for (const text of ['{"a":{"a":{"a":1}},"A":[{"a":1},{"a":2}]}', '{"a:":":","b":"\\":\\\\"}']) {
    assert.deepEqual(parse(text), JSON.parse(text));
  }
});

test('a JSON text with any member duplicated is refused, whatever its value', () => {
  const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(objects.filter(isAllowed), fc.nat(), (object, choice) => {
      const names = Object.keys(object);
      const name = names[choice % names.length] as string;
      const text = JSON.stringify(object);
      const repeated = `${text.slice(0, -1)},${JSON.stringify(name)}:null}`;
      assert.deepEqual(refusal(repeated).details, [{ field: name, message: 'is given twice' }]);
    }),
  );
});

test('JSON nesting is allowed to the limit and refused beyond, however deep', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(parse(nested(MAX_JSON_DEPTH)));
  assert.match(refusal(nested(MAX_JSON_DEPTH + 1)).message, /more than 64 levels/);
  assert.match(refusal(nested(200_000)).message, /more than 64 levels/);
  const objects = '{"a":'.repeat(MAX_JSON_DEPTH + 1);
  assert.match(refusal(`${objects}1${'}'.repeat(MAX_JSON_DEPTH + 1)}`).message, /more than 64/);
});

/** Whether the strict parser promises to accept the value. */
function isAllowed(value: unknown): boolean {
  const text = JSON.stringify(value);
  return !/\\u0000|\\ud[89a-f]/i.test(text) && !text.includes('"__proto__"');
}
