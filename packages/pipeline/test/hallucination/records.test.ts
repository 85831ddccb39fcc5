import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import { recordReaderOf } from '../../src/hallucination/records/record-format.ts';
import type { RecordSink } from '../../src/hallucination/records/record-sink.ts';
import { createPipeline } from '../../src/index.ts';
import { scanMessages } from '../../src/messages/scan-messages.ts';

const UNIT = 24 * 1024;
const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] });

/** The records of a source, one line for each value and bracket; undefined for prose. */
function recordsOf(source: string): string | undefined {
  const read = recordReaderOf(source);
  if (read === undefined) return undefined;
  const lines: string[] = [];
  const sink: RecordSink = {
    begin: () => void lines.push('('),
    end: () => void lines.push(')'),
    name: (name) => void lines.push(name),
    value: (name, value) => void lines.push(`${name}=${value}`),
    prose: (text) => void lines.push(`"${text.trim()}"`),
  };
  for (const _ of read(source, sink));
  return lines.join(' ');
}

async function typesOf(response: string, ...context: string[]): Promise<string[]> {
  const { findings } = await pipeline.scan({ response, context });
  return findings.map(({ type }) => type);
}

describe('records of sources that are data', () => {
  it('are read from JSON, tables, markup and lines of names and values', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['{"a":1,"b":{"c":"x y","d":null}}', '( a=1 b b/c=x y b/d=null )'],
      ['[{"a":"\\u0031"},{"a":2}]', '( ( a=1 ) ( a=2 ) )'],
      ['{"rows":[["x",1],["y",2]]}', '( rows ( =x =1 ) ( =y =2 ) )'],
      ['{"a":1}\n{"a":2}\n', '( a=1 ) ( a=2 )'],
      ['{"a":"cut off he', '( a=cut off he )'],
      ['```json\n{"a":true}\n```', '( a=true )'],
      ['| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n', 'a b ( a=1 b=x ) ( a=2 b=y )'],
      ['a;b\n1;"x;y"\n2;z\n', 'a b ( a=1 b=x;y ) ( a=2 b=z )'],
      ['<rows><a n="1">x</a><a n="2">y &amp; z&#39;s</a></rows>', "( n=1 a=x ) ( n=2 a=y & z's )"],
      [
        '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><b>x</b> y</td></tr></table>',
        '( a b ) ( a=1 b=x y )',
      ],
      ['Name: x\nSize: 3 m\n', '( Name=x Size=3 m )'],
      ['n: 2\n\nlist: a: x\nb: 1\n\na: y\nb: 2\n', '( n=2 ( list/a=x b=1 ) ( a=y b=2 ) )'],
    ];
    for (const [source, expected] of cases) {
      assert.equal(recordsOf(source), expected, source);
    }
  });

  it('recordReaderOf reads rows of figures under headings of several lines', () => {
    const grid =
      ',"Ended December 31,",,% Change\n,2019,2018,\nCost,"$149,495","$176,223",(15)%\nProfit,"167,685","208,774",(20)%';
    const records = recordsOf(grid) ?? '';
    assert.match(records, /=Cost .*=\$149,495 .*=\$176,223/);
    assert.match(recordsOf(`${grid}\n\nCost fell in 2019.`) ?? '', /=Cost .*"Cost fell in 2019."$/);
    assert.equal(
      recordsOf('Well, we came, we saw, we left.\nThen, in 2019, we went, happy, home.'),
      undefined,
    );
  });

  it('records are read from tables and JSON between paragraphs of prose', () => {
    const table = '| | 2019 | 2018 |\n|---|---|---|\n| Land | $672 | (33) |';
    const source = `Text.\n\n${table}\n\nMore: text.\n\n{"a":1}`;
    const expected = '"Text."  2019 2018 ( =Land 2019=$672 2018=(33) ) "More: text." ( a=1 )';
    assert.equal(recordsOf(source), expected);
    const overHead = '| May 3, | | |\n|---|---|---|\n| in $ | 2019 | 2018 |\n| Land | 1 | 2 |';
    assert.match(recordsOf(overHead) ?? '', /\( in \$=Land 2019=1 2018=2 \)$/);
    assert.equal(
      recordsOf(',2019,2018\nLand,1,2\nSea,3,4'),
      ' 2019 2018 ( =Land 2019=1 2018=2 ) ( =Sea 2019=3 2018=4 )',
    );
  });

  it('records support differences, shares, means and changes, and reject wrong results', async () => {
    const table =
      '(in thousands),2019,2018\nLand,"$3,445","$2,969"\nGoods,"6,356","6,253"\nLoss,(33),12';
    const results = async (question: string, response: string) => {
      const scan = { prompt: question, response, context: [table] };
      return (await pipeline.scan(scan)).scores.hallucination ?? 1;
    };
    const right: [string, string][] = [
      ['What was the percentage change in land between 2018 and 2019?', 'It was 16.03%.'],
      ['What is the difference between goods in 2019 and 2018?', '103 thousand'],
      ['What is the average of land in 2019 and 2018?', 'It was 3207 thousand.'],
      ['What is the ratio of land to goods in 2019?', 'The ratio was 0.54.'],
      ['What was the loss in 2019?', 'The loss in 2019 was (33) thousand.'],
    ];
    for (const [question, answer] of right) {
      assert.ok((await results(question, answer)) < 0.5, answer);
    }
    assert.ok((await results('What was land in 2019?', 'Land in 2019 was 3,745.')) >= 0.8);
    assert.ok((await results('What was the loss in 2019?', 'The loss in 2019 was 39.')) >= 0.8);
    assert.ok((await results('What is the ratio of land to goods?', 'It was 0.71.')) >= 0.5);
  });

  it('are not read from prose', () => {
    const prose = [
      'The library opens at ten, closes at seven, and is shut on Sundays.',
      '[Koa](https://koajs.com) is a framework.\nIt has no middleware of its own.',
      'Note: the office is closed.\n\nIt will be open again next week, as far as we know.',
      'On Monday, Kylie collects 20 shells\nOn Tuesday, Kylie collects 50 shells\n',
      'a < b and b > c',
      '',
    ];
    for (const source of prose) assert.equal(recordsOf(source), undefined, source);
  });

  it('bear out numbers, dates and amounts in other forms, and no others', async () => {
    const source = JSON.stringify({
      ...{ id: 7, temperature_c: 21.4, totalCents: 1999, share: 0.064, distance_meters: 142_600 },
      ...{ createdAt: '2026-03-01T16:05:00Z', updated_at: 1_777_680_000, users: 4_200_000 },
    });
    const right = [
      'The temperature is 21 degrees, and the total is €19.99.',
      'The share is 6.4 percent of 4.2 million users.',
      'The distance is 142.6 km.',
      'It was created on March 1, 2026 at 4:05 pm.',
      'It was updated on May 2, 2026.',
    ];
    for (const text of right) assert.deepEqual(await typesOf(text, source), [], text);
    const wrong = [
      ['The temperature is 22 degrees, and the total is €19.99.', 'number'],
      ['The total is €19.89.', 'number'],
      ['The share is 4.6 percent of the users.', 'number'],
      ['It was created on April 1, 2026.', 'date'],
    ] as const;
    for (const [text, type] of wrong) assert.deepEqual(await typesOf(text, source), [type], text);
  });

  it('bear out truth values, by their names and the opposites of these', async () => {
    const source = '{"device":"front door","isLocked":true,"isOnline":false,"paid":null}';
    for (const text of ['The front door is locked.', 'The front door is offline.']) {
      assert.deepEqual(await typesOf(text, source), [], text);
    }
    for (const text of ['The front door is not locked.', 'The front door is online.']) {
      assert.deepEqual(await typesOf(text, source), ['negation'], text);
    }
  });

  it('bear out that something is on or off, and say nothing against what may be done', async () => {
    const source = '{"plan":"pro","autoRenew":false,"emailNotifications":true}';
    const right = [
      'Auto-renew is off.',
      'Auto-renew is turned off, so you will need to renew it manually.',
      'Auto-renew is not turned on, and email notifications are enabled.',
    ];
    for (const text of right) assert.deepEqual(await typesOf(text, source), [], text);
    const wrong = ['Auto-renew is on.', 'Auto-renew is not turned off.'];
    for (const text of [...wrong, 'Email notifications are disabled.']) {
      assert.deepEqual(await typesOf(text, source), ['negation'], text);
    }
  });

  it('bear out what is computed from them, where the claim says so', async () => {
    const source =
      '[{"item":"lamp","price":40,"from":"09:30","to":"09:45"},{"item":"desk","price":95}]';
    assert.deepEqual(await typesOf('The lamp and the desk cost 135 in total.', source), []);
    assert.deepEqual(await typesOf('The lamp is 55 cheaper than the desk.', source), []);
    assert.deepEqual(await typesOf('The lamp is there for 15 minutes.', source), []);
    assert.deepEqual(await typesOf('The lamp costs 135.', source), ['number']);
    assert.deepEqual(await typesOf('The lamp and the desk cost 145 in total.', source), ['number']);
  });

  it('bear out a denial in one word, and an answer behind "Sure!"', async () => {
    const order = '{"order":"R71","gift_wrap":false,"card_frozen":false}';
    const answer = async (prompt: string, response: string) =>
      (await pipeline.scan({ prompt, response, context: [order] })).findings;
    assert.deepEqual(await answer('Is it gift wrapped?', "No, gift wrapping wasn't selected."), []);
    assert.deepEqual(await answer('Is my card frozen?', 'Sure! No, your card is not frozen.'), []);
    assert.equal((await answer('Is my card frozen?', 'Sure! Your card is frozen.')).length, 1);
  });

  it('are compared beside prose: a claim needs one of them', async () => {
    const prose = 'The museum was founded in 1887 by the painter Ida Holm.';
    const data = '{"museum":"Holm House","visitors":5120}';
    const right = 'The museum was founded in 1887 by the painter Ida Holm. It has 5,120 visitors.';
    assert.deepEqual(await typesOf(right, prose, data), []);
    assert.deepEqual(await typesOf(right.replace('5,120', '5,210'), prose, data), ['number']);
    // What the records say nothing of is not borne out by them.
    const rules = 'The office is open on weekdays. Refunds are not possible.';
    assert.deepEqual(await typesOf('Refunds are possible.', rules), ['negation']);
    assert.deepEqual(await typesOf('Refunds are possible.', rules, data), ['negation']);
    // Prose in a value is prose.
    const wrapped = JSON.stringify({ results: [{ snippet: prose }] });
    assert.deepEqual(
      await typesOf('The museum was founded in 1887 by the painter Ida Holm.', wrapped),
      [],
    );
    assert.deepEqual(
      await typesOf('The museum was founded in 1878 by the painter Ida Holm.', wrapped),
      ['number'],
    );
  });

  it('say nothing where prose beside them, or they, are in a language that is not covered', async () => {
    const german =
      'Das Museum wurde von der Malerin gegründet und ist sonntags bis achtzehn Uhr geöffnet.';
    const { scores } = await pipeline.scan({
      response: 'The museum is open until 6 pm.',
      context: [german, '{"visitors":5120}'],
    });
    assert.equal(scores.hallucination, null);
    const french = await pipeline.scan({
      response: 'It rains in Lyon.',
      context: ['{"ville":"Lyon","météo":"pluie légère","humidité":"élevée"}'],
    });
    assert.equal(french.scores.hallucination, null);
  });

  it('leave the offsets of findings right', async () => {
    const response = 'It is 21.4 °C in Berlin. 🌧️ It is 27.4 °C in Berlin. Bye!';
    const { findings } = await pipeline.scan({
      response,
      context: ['{"city":"Berlin","temperature_c":21.4}'],
    });
    const texts = findings.map(({ start, end }) => response.slice(start, end));
    assert.equal(texts.length, 1);
    assert.match(texts[0] as string, /27\.4 °C in Berlin$/);
  });

  it('are those of every form in which messages hold the result of a tool', async () => {
    const value = {
      city: 'Berlin',
      isRaining: false,
      days: [
        { day: 'Monday', high: 12 },
        { day: 'Friday', high: 18 },
      ],
    };
    const json = JSON.stringify(value);
    const tool = (content: unknown) => ({ role: 'tool', tool_call_id: 'c', content });
    const result = (output: unknown) =>
      tool([{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output }]);
    const forms = [
      tool(json),
      tool([{ type: 'text', text: json }]),
      { type: 'function_call_output', call_id: 'c', output: json },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: json }] },
      result({ type: 'json', value }),
      result({ type: 'text', value: json }),
      result({ type: 'content', value: [{ type: 'text', text: json }] }),
    ];
    const answer = async (form: object, content: string) => {
      const messages = [{ role: 'user', content: 'And?' }, form, { role: 'assistant', content }];
      const scanned = await scanMessages({ messages }, pipeline.scan);
      return scanned.result.findings.map(({ type }) => type);
    };
    for (const form of forms) {
      const shown = JSON.stringify(form);
      assert.deepEqual(
        await answer(form, 'In Berlin it is not raining. The high is 18 on Friday.'),
        [],
        shown,
      );
      assert.deepEqual(await answer(form, 'In Berlin it is raining.'), ['negation'], shown);
      assert.deepEqual(await answer(form, 'On Monday the high is 18.'), ['role'], shown);
    }
  });

  it('are read in time linear in their length, whatever they hold', async () => {
    const make: Readonly<Record<string, (length: number) => string>> = {
      list: (n) =>
        JSON.stringify(
          Array.from({ length: n / 40 }, (_, id) => ({ id, name: `lamp ${id}`, ok: true })),
        ),
      names: (n) =>
        JSON.stringify(
          Object.fromEntries(Array.from({ length: n / 20 }, (_, id) => [`k${id}`, { v: id }])),
        ),
      deep: (n) => `{"a":1,"b":${'['.repeat(n)}`,
      path: (n) => `{"a":${'{"a":'.repeat(n / 5)}`,
      escapes: (n) => `{"a":"${'\\"'.repeat(n / 2)}`,
      markup: (n) => `<a>${'<b'.repeat(n / 2)}`,
      attributes: (n) => `<a ${'x'.repeat(n)}>`,
      blanks: (n) => `a: 1\nb: 2\n${'\n'.repeat(n)}`,
      table: (n) => `a,b\n${'1,"\n'.repeat(n / 4)}`,
    };
    const response = 'The lamp 7 is ok. The name of 12 is lamp 12. There are 900 of them in total.';
    for (const [name, source] of Object.entries(make)) {
      const scan = (length: number) => {
        const context = [source(length)];
        return () => pipeline.scan({ response, context });
      };
      await assertLinearTime(scan(UNIT), scan(8 * UNIT), name);
    }
  });
});
