import assert from 'node:assert/strict';
import {
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { openLogFile } from '../../src/logging/log-file.ts';

const SETTINGS = { max_size_mb: 1, max_backups: 10, max_age_days: 30 };
const now = () => new Date();

test('a log file is rotated before it is larger than it may be, and no line is lost or torn', (t) => {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.log');
  const log = openLogFile({ ...SETTINGS, file }, now);
  const lines = Array.from({ length: 3_000 }, (_, at) => `${at} ${'x'.repeat(1_000)}\n`);
  for (let at = 0; at < lines.length; at += 50) log.write(lines.slice(at, at + 50));
  log.close();
  const files = readdirSync(folder).sort();
  assert.deepEqual(files, ['gateway.log', 'gateway.log.1', 'gateway.log.2']);
  for (const name of files) assert.ok(statSync(join(folder, name)).size <= 1_048_576);
  const written = ['gateway.log.2', 'gateway.log.1', 'gateway.log'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  assert.equal(written.join(''), lines.join(''));
  assert.equal(statSync(file).mode & 0o777, 0o640 & ~process.umask());
});

test('logging.max_backups is the number of rotated files, also of none', (t) => {
  for (const [max_backups, files] of [
    [1, ['gateway.log', 'gateway.log.1']],
    [0, ['gateway.log']],
  ] as const) {
    const folder = temporaryFolder(t).path;
    const log = openLogFile({ ...SETTINGS, max_backups, file: join(folder, 'gateway.log') }, now);
    for (let at = 0; at < 4; at++) log.write([`${'x'.repeat(600_000)}\n`]);
    log.close();
    assert.deepEqual(readdirSync(folder).sort(), files);
  }
});

test('logging.max_age_days deletes rotated files that are older', (t) => {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.log');
  const write = (name: string, days: number) => {
    writeFileSync(join(folder, name), '');
    const then = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(folder, name), then, then);
  };
  write('gateway.log.1', 29);
  write('gateway.log.2', 31);
  write('gateway.log.old', 90);
  const log = openLogFile({ ...SETTINGS, file }, now);
  log.sweep();
  log.close();
  assert.deepEqual(readdirSync(folder).sort(), ['gateway.log', 'gateway.log.1', 'gateway.log.old']);
});

test('a file that is opened again after it was moved is a new one', (t) => {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.log');
  const first = openLogFile({ ...SETTINGS, file }, now);
  first.write(['one\n']);
  renameSync(file, join(folder, 'moved'));
  const second = openLogFile({ ...SETTINGS, file }, now);
  first.close();
  second.write(['two\n']);
  second.close();
  assert.equal(readFileSync(join(folder, 'moved'), 'utf8'), 'one\n');
  assert.equal(readFileSync(file, 'utf8'), 'two\n');
});
