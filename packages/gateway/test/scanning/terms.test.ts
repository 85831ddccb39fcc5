import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import { at, startGateway, typesOf } from '../world.ts';

const listed = (options: string, more = '') =>
  `scanning: {stages: [{name: terms_scanner${more}}]}\nstage_config: {terms_scanner: {${options}}}`;
const list = (members: string) => listed(`lists: [{${members}}]`);
const pattern = (members: string) => listed(`patterns: [{${members}}]`);
const startWith = (t: TestLifetime, text: string) => startGateway(t, text);
const typesWith = async (t: TestLifetime, text: string, response: string) =>
  typesOf(await (await startWith(t, text)).scan({ response }));

test('a term of stage_config.terms_scanner.lists blocks, with its type in the reason', async (t) => {
  const gateway = await startWith(t, list('type: codename, terms: [Project Nightjar, heron]'));
  for (const response of ['It is project nightjar.', 'A heron!']) {
    const { status, body } = await gateway.scan({ response });
    assert.equal(status, 403);
    assert.equal(at(body, 'error.code'), 'POLICY_BLOCKED');
    assert.equal(at(body, 'governance.violation_reason'), 'terms_scanner found codename');
  }
  assert.equal((await gateway.scan({ response: 'A gull.' })).status, 200);
  assert.match(
    await gateway.metrics(),
    /gateway_stage_duration_seconds_count\{stage="terms_scanner"\} 3/,
  );
});

test('stage_config.terms_scanner.lists[].type is denied_term by default', async (t) => {
  assert.deepEqual(await typesWith(t, list('terms: [heron]'), 'A heron!'), ['denied_term']);
});

test('stage_config.terms_scanner.lists[].file has terms, one on each line or as a JSON list', async (t) => {
  const folder = temporaryFolder(t).path;
  writeFileSync(join(folder, 'terms.txt'), '\ufeffProject Nightjar\r\n\r\n  heron \r\n');
  writeFileSync(join(folder, 'terms.json'), JSON.stringify(['heron', 'plover']));
  for (const [file, found, others] of [
    ['terms.txt', ['heron', 'Project Nightjar', 'stork'], ['plover', 'gull']],
    ['terms.json', ['heron', 'plover', 'stork'], ['gull']],
  ] as const) {
    const gateway = await startWith(t, list(`terms: [stork], file: ${join(folder, file)}`));
    for (const response of found) assert.equal((await gateway.scan({ response })).status, 403);
    for (const response of others) assert.equal((await gateway.scan({ response })).status, 200);
  }
});

test('stage_config.terms_scanner.lists[].case_sensitive tells letter cases apart', async (t) => {
  const terms = 'terms: [Heron]';
  assert.deepEqual(await typesWith(t, list(terms), 'a heron'), ['denied_term']);
  assert.deepEqual(await typesWith(t, list(`${terms}, case_sensitive: true`), 'a heron'), []);
  assert.equal((await typesWith(t, list(`${terms}, case_sensitive: true`), 'a Heron')).length, 1);
});

test('stage_config.terms_scanner.lists[].whole_words false finds a term within a word', async (t) => {
  assert.deepEqual(await typesWith(t, list('terms: [heron]'), 'two herons'), []);
  const within = list('terms: [heron], whole_words: false');
  assert.deepEqual(await typesWith(t, within, 'two herons'), ['denied_term']);
});

test('risk of a list and of a pattern is compared with the threshold of terms_scanner', async (t) => {
  for (const entry of ['lists: [{terms: [heron]', "patterns: [{pattern: 'heron'"]) {
    const statusWith = async (risk: string, more = '', options = '') => {
      const gateway = await startWith(t, listed(`${entry}${risk}}]${options}`, more));
      return (await gateway.scan({ response: 'a heron' })).status;
    };
    assert.equal(await statusWith(''), 403);
    assert.equal(await statusWith(', risk: 0.7'), 200);
    assert.equal(await statusWith(', risk: 0.7', ', threshold: 0.7'), 403);
    assert.equal(await statusWith(', risk: 0.7', ', threshold: 1', ', threshold: 0.7'), 403);
    assert.equal(await statusWith('', ', threshold: 0.7', ', threshold: 1'), 200);
  }
});

test('stage_config.terms_scanner.patterns[] find what their expressions match', async (t) => {
  const ticket = String.raw`pattern: '\bNJ-\d{4}\b'`;
  assert.deepEqual(await typesWith(t, pattern(`${ticket}, type: ticket`), 'see NJ-4411'), [
    'ticket',
  ]);
  assert.deepEqual(await typesWith(t, pattern(ticket), 'see NJ-441'), []);
  assert.deepEqual(await typesWith(t, pattern(ticket), 'see nj-4411'), []);
  assert.deepEqual(await typesWith(t, pattern(`${ticket}, flags: iu`), 'see nj-4411'), [
    'denied_term',
  ]);
});

test('stage_config.terms_scanner.patterns[].context must stand near a match', async (t) => {
  const near = pattern(String.raw`pattern: '\b\d{4}\b', context: ['room', 'floor*']`);
  assert.deepEqual(await typesWith(t, near, 'room 4411'), ['denied_term']);
  assert.deepEqual(await typesWith(t, near, 'flooring 4411'), ['denied_term']);
  assert.deepEqual(await typesWith(t, near, 'door 4411'), []);
});

test('stage_config.terms_scanner.redact decides whether terms are replaced or block, where a caller asks', async (t) => {
  const options = 'lists: [{type: codename, terms: [Project Nightjar]}]';
  const request = { response: 'On Project Nightjar.', redaction: 'placeholder' };
  assert.equal((await (await startWith(t, listed(options))).scan(request)).status, 403);
  const { status, body } = await (await startWith(t, listed(`${options}, redact: true`))).scan(
    request,
  );
  assert.equal(status, 200);
  assert.equal(at(body, 'data.redacted.response'), 'On [CODENAME_1].');
});

test('no record or log has a term that was found', async (t) => {
  const text = `${list('terms: [Nightjar]')}\naudit: {sample_rate: 1}\ncompliance: {hash_pii_in_logs: false}`;
  const gateway = await startWith(t, text);
  await gateway.scan({ response: 'On Nightjar.' });
  const written = JSON.stringify(await gateway.stored()) + gateway.lines.join('\n');
  assert.match(written, /denied_term/);
  assert.doesNotMatch(written, /nightjar/i);
});
