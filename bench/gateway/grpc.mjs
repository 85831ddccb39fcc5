// npm run gateway-grpc -w @probity/bench [-- ROUNDS [SECONDS]]
// Scans of 512 characters over gRPC beside a bare grpc-js echo: unary calls, and whole scans on one bidirectional stream.
// Each server is a process of its own, one connection, the same number in flight, in turns. The client handles bytes
// only, so that it is no part of what is compared. What counts are the ratios within this run.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import {
  loadScanProto,
  SCAN_SERVICE,
} from '../../packages/gateway/dist/src/grpc/service-definition.js';
import { makeTexts } from '../pipeline/material.mjs';
import { median } from '../shared/measure.mjs';
import { cpuUsOf } from './gateway-process.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
const IN_FLIGHT = 32;
/** Messages before which V8 is still compiling. */
const WARM_UP = 4_000;
const ALL_OFF = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
  ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
];
const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const GATEWAY = fileOf('../../packages/gateway/bin/probity-gateway.js');
const same = (bytes) => bytes;
const { Scan, ScanStream } = loadScanProto()[SCAN_SERVICE];

/** Different texts, so that nothing is answered from memory. */
const TEXTS = makeTexts(12, 512);
const SCANS = Array.from({ length: 2_000 }, (_, index) => ({
  request_id: `r${index}`,
  response: `Parcel ${index}. ${TEXTS[index % TEXTS.length]}`.slice(0, 512),
}));
const WHOLE = SCANS.map((scan) => Scan.requestSerialize(scan));
const STREAMED = SCANS.map((scan) => ScanStream.requestSerialize({ scan }));

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const children = [];
try {
  await run();
} finally {
  for (const child of children) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** Its log goes to a file, as a service's does: the client has no part in it. */
async function start(name, args) {
  const path = join(folder, `${name}.log`);
  const log = openSync(path, 'a');
  const child = spawn(process.execPath, args, { stdio: ['ignore', log, 'inherit'] });
  closeSync(log);
  children.push(child);
  for (;;) {
    const line = readFileSync(path, 'utf8')
      .split('\n')
      .find((each) => each.endsWith('}') && JSON.parse(each).message === 'listening');
    if (line) {
      const { grpc } = JSON.parse(line);
      return { pid: child.pid, client: new Client(grpc, credentials.createInsecure()) };
    }
    if (child.exitCode !== null) throw new Error(`${name} has ended`);
    await sleep(50);
  }
}

async function startGateway(name, more) {
  const file = join(folder, `${name}.yaml`);
  const common =
    'server: {host: 127.0.0.1, port: 0, workers: 1}\n' +
    'monitoring: {prometheus: {enabled: false}, health_check: {port: 0}}\n' +
    'rate_limiting: {enabled: false}\n';
  writeFileSync(file, common + more);
  const create = [GATEWAY, 'key', 'create', '--config', file];
  const key = execFileSync(process.execPath, create, { encoding: 'utf8', stdio: 'pipe' }).trim();
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  return { ...(await start(name, [GATEWAY, '--config', file])), metadata };
}

async function run() {
  const off = ALL_OFF.map((name) => `    - {name: ${name}, enabled: false}\n`).join('');
  const echo = { ...(await start('echo', [fileOf('grpc-echo.mjs')])), metadata: new Metadata() };
  const scanning = await startGateway('scanning', '');
  const idle = await startGateway('off', `scanning:\n  stages:\n${off}`);
  const subjects = [
    ['bare echo, unary', unary(echo, '/bench.Echo/Echo', same)],
    ['gateway without stages, unary', unary(idle, Scan.path, Scan.responseDeserialize)],
    ['gateway without stages, stream', stream(idle)],
    ['gateway, seven stages, unary', unary(scanning, Scan.path, Scan.responseDeserialize)],
    ['gateway, seven stages, stream', stream(scanning)],
  ];
  for (const [, { begin }] of subjects) await begin((count) => count >= WARM_UP);
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, subject]] of subjects.entries()) {
      results[index].push(await measure(subject, seconds * 1_000));
    }
  }
  report(subjects, results);
}

async function measure({ pid, begin }, durationMs) {
  const before = cpuUsOf(pid);
  const startedAt = performance.now();
  const count = await begin(() => performance.now() - startedAt >= durationMs);
  const elapsedMs = performance.now() - startedAt;
  return {
    perSecond: count / (elapsedMs / 1_000),
    cpuUs: (cpuUsOf(pid) - before) / count,
  };
}

function unary({ pid, client, metadata }, path, parse) {
  let at = 0;
  const call = () =>
    new Promise((resolve, reject) => {
      const bytes = WHOLE[at++ % WHOLE.length];
      client.makeUnaryRequest(path, same, same, bytes, metadata, (error, answer) =>
        error ? reject(error) : resolve(answer),
      );
    });
  const begin = async (isOver) => {
    let count = 0;
    const work = async () => {
      while (!isOver(count)) {
        const answer = await call();
        if (count++ === 0 && parse !== same && !parse(answer).verdict)
          throw new Error('no verdict');
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    return count;
  };
  return { pid, begin };
}

/** As many whole scans in flight on one stream: each answer sends the next one. */
function stream({ pid, client, metadata }) {
  const begin = (isOver) =>
    new Promise((resolve, reject) => {
      const call = client.makeBidiStreamRequest(ScanStream.path, same, same, metadata);
      let [sent, count] = [0, 0];
      const send = () => call.write(STREAMED[sent++ % STREAMED.length]);
      call.on('data', (bytes) => {
        if (count++ % 1_000 === 0 && !ScanStream.responseDeserialize(bytes).final) {
          reject(new Error('an answer without a verdict'));
        }
        if (!isOver(count)) send();
        else if (count === sent) call.end();
      });
      call.on('error', reject).on('end', () => resolve(count));
      for (let each = 0; each < IN_FLIGHT; each += 1) send();
    });
  return { pid, begin };
}

function report(subjects, results) {
  const rate = (index, round) => results[index][round].perSecond;
  const ratios = (index, base) => {
    const each = results[index].map((_, round) => rate(index, round) / rate(base, round));
    const range = `${Math.min(...each).toFixed(2)}-${Math.max(...each).toFixed(2)}`;
    return `${median(each).toFixed(2)} (${range})`;
  };
  console.log(`${IN_FLIGHT} in flight, 512 characters, medians of ${rounds} x ${seconds} s`);
  console.table(
    subjects.map(([subject], index) => ({
      subject,
      'messages/s': Math.round(median(results[index].map(({ perSecond }) => perSecond))),
      'CPU us': Math.round(median(results[index].map(({ cpuUs }) => cpuUs))),
      'rate / echo': ratios(index, 0),
      'rate / own unary': index === 2 || index === 4 ? ratios(index, index - 1) : '',
    })),
  );
}
