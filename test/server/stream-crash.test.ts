import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { roundsOf } from '@probity/test-support/combinations';
import { withDatabase } from './open-database.ts';
import { bootstrap, call, emptyDatabases, LEAK, serveProcess } from './support.ts';

const ROUNDS = Number(process.env.STREAM_KILLS ?? roundsOf(4));
const CLIENTS = 6;

const PLAIN = 'The Seine flows through Paris and ends in the Channel. '.repeat(20);
/** What comes of each response under the built-in policy, in turn. */
const RESPONSES = [
  { response: PLAIN, verdict: 'allowed' },
  { response: `${PLAIN} Write to maria.keller@example.org. ${PLAIN}`, verdict: 'flagged' },
  { response: `${PLAIN} ${LEAK}`, verdict: 'blocked' },
] as const;

/** Scans that a `final` event has told a client of, with their verdicts. */
type Acknowledged = Map<string, string>;

/** A response as a model gives it: a line for some words, with other work in between. */
function linesOf(response: string): ReadableStream<Uint8Array> {
  const parts = response.match(/[\s\S]{1,60}/g) ?? [];
  async function* lines() {
    yield '{}\n';
    for (const text of parts) {
      yield `${JSON.stringify({ text })}\n`;
      await delay(1);
    }
  }
  return ReadableStream.from(lines()).pipeThrough(new TextEncoderStream());
}

/** Streams responses until the server is killed. */
async function streamUntilKilled(url: string, key: string, acknowledged: Acknowledged) {
  for (let at = 0; ; at += 1) {
    const { response, verdict } = RESPONSES[at % RESPONSES.length] ?? assert.fail();
    let text: string;
    try {
      const answer = await fetch(`${url}/api/v1/governance/scan/stream`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
        body: linesOf(response),
        duplex: 'half',
      } as RequestInit);
      assert.equal(answer.status, 200);
      text = await answer.text();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
    const [, final] = /^event: final\ndata: (.*)$/m.exec(text) ?? [];
    // The process may end between the last event and the end of the answer, or before.
    if (final === undefined) return;
    const { data, governance } = JSON.parse(final);
    assert.equal(data?.verdict ?? governance.verdict, verdict);
    acknowledged.set(data?.id ?? governance.scan_id, verdict);
  }
}

interface Stored {
  readonly scans: ReadonlyArray<{ id: string; verdict: string; finding_count: number }>;
  readonly alerts: ReadonlyArray<{ scan_id: string }>;
  readonly events: ReadonlyArray<{ type: string; n: number }>;
}

function readStored(location: string): Promise<Stored> {
  return withDatabase(location, async ({ reader }) => {
    const rows = async <Row>(text: string) => [...(await reader.execute<Row>(text, [])).rows];
    return {
      scans: await rows('select id, verdict, finding_count from probity_scans'),
      alerts: await rows('select scan_id from probity_alerts'),
      events: await rows('select type, count(*) as n from probity_events group by type'),
    };
  });
}

async function killRepeatedly(t: TestContext, location: string): Promise<void> {
  const { api_key: key } = await bootstrap(location);
  const acknowledged: Acknowledged = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { url, program } = await serveProcess(t, location);
    const enough = acknowledged.size + 2 * CLIENTS;
    const clients = Array.from({ length: CLIENTS }, () =>
      streamUntilKilled(url, key, acknowledged),
    );
    while (acknowledged.size < enough) await delay(1);
    await program.kill9();
    await Promise.all(clients);
  }
  const { url, program } = await serveProcess(t, location);
  const { scans, alerts, events } = await readStored(location);
  const verdictOf = new Map(scans.map(({ id, verdict }) => [id, verdict]));
  for (const [id, verdict] of acknowledged) assert.equal(verdictOf.get(id), verdict, id);
  // Each scan, told of or not, is stored with all that belongs to it, once.
  const detected = scans.filter(({ verdict }) => verdict !== 'allowed').map(({ id }) => id);
  assert.deepEqual(alerts.map(({ scan_id }) => scan_id).sort(), detected.sort());
  for (const { verdict, finding_count } of scans) {
    assert.equal(Number(finding_count) > 0, verdict !== 'allowed');
  }
  const count = (type: string) => Number(events.find((each) => each.type === type)?.n ?? 0);
  assert.equal(count('alert.created'), detected.length);
  assert.equal(
    count('policy.violated'),
    scans.filter(({ verdict }) => verdict === 'blocked').length,
  );
  const listed = (await call(`${url}/api/v1/governance/scans`, key)).body;
  assert.equal(listed.total, scans.length);
  assert.ok(scans.length <= acknowledged.size + ROUNDS * CLIENTS);
  t.diagnostic(`${ROUNDS} kills, ${acknowledged.size} told, ${scans.length} stored`);
  await program.terminate();
}

describe(`${ROUNDS} times kill -9 during streamed scans`, () => {
  for (const database of emptyDatabases) {
    it(`leaves each scan stored with its alert and events, or nothing of it, on ${database.name}`, async (t) => {
      await killRepeatedly(t, await database.create(t, 'disk'));
    });
  }
});
