import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { createPipeline, ScanCanceledError } from '@probity/pipeline';
import type { GovernanceStorage, ScanRequest } from '../../src/index.ts';
import { BUILT_IN_POLICY_ID, MAX_FINDINGS } from '../../src/index.ts';
import { BENIGN, CARD, createWorld, EMAIL, INJECTION, SSN, targets } from '../world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Case {
  name: string;
  request: ScanRequest;
  verdict: string;
  code?: string;
  alert?: { type: string; severity: string };
  events: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'a benign answer is allowed and makes no alert and no event',
    request: { response: BENIGN },
    verdict: 'allowed',
    events: [],
  },
  {
    name: 'an e-mail address is flagged and makes one alert of low severity and one event',
    request: { response: `Write to ${EMAIL}.` },
    verdict: 'flagged',
    alert: { type: 'pii', severity: 'low' },
    events: ['alert.created'],
  },
  {
    name: 'three addresses and a card make one alert, for the card, and one event of each type',
    request: {
      prompt: 'List them',
      response: `Card ${CARD} of ${EMAIL}, also john.doe@example.org and b.lee@example.net.`,
    },
    verdict: 'blocked',
    code: 'PII_DETECTED',
    alert: { type: 'pii', severity: 'critical' },
    events: ['alert.created', 'policy.violated'],
  },
  {
    name: 'an injection alone makes the alert for the violation',
    request: { prompt: INJECTION, response: BENIGN },
    verdict: 'blocked',
    code: 'INJECTION_ATTEMPT_DETECTED',
    alert: { type: 'injection', severity: 'high' },
    events: ['alert.created', 'policy.violated'],
  },
  {
    name: 'an injection with a social security number is blocked as injection and alerted as personal data',
    request: { prompt: INJECTION, response: `My social security number is ${SSN}.` },
    verdict: 'blocked',
    code: 'INJECTION_ATTEMPT_DETECTED',
    alert: { type: 'pii', severity: 'critical' },
    events: ['alert.created', 'policy.violated'],
  },
];

for (const target of targets) {
  for (const { name, request, verdict, code, alert, events } of CASES) {
    test(`${target.name}: ${name}`, async (t) => {
      const { scans, context, listAlerts, events: eventsOf } = await createWorld(t, { target });
      const outcome = await scans.scan(context, request);
      assert.equal(outcome.scan.verdict, verdict);
      assert.equal(outcome.scan.violation?.code, code);
      assert.deepEqual(await scans.get(context, outcome.scan.id), outcome.scan);
      const { items } = await listAlerts();
      assert.deepEqual(
        items.map(({ type, severity, scanId }) => ({ type, severity, scanId })),
        alert ? [{ ...alert, scanId: outcome.scan.id }] : [],
      );
      assert.deepEqual(items, outcome.alert ? [outcome.alert] : []);
      assert.deepEqual(
        (await eventsOf()).map(({ type }) => type),
        events,
      );
    });
  }

  test(`${target.name}: the events of a blocked scan contain its alert and the violated policy`, async (t) => {
    const { scans, context, events } = await createWorld(t, { target });
    const { scan, alert } = await scans.scan(context, { response: `Card ${CARD}` });
    const [created, violated] = await events();
    assert.deepEqual(created?.data, {
      alertId: alert?.id,
      severity: 'critical',
      type: 'pii',
      message: 'Personal data (credit_card) in response; the scan was blocked.',
    });
    assert.deepEqual(violated?.data, {
      policyId: BUILT_IN_POLICY_ID,
      violationReason: 'pii_scanner found credit_card',
      scanId: scan.id,
      action: 'block',
    });
    assert.equal(violated?.organizationId, context.principal.organizationId);
    assert.equal(violated?.requestId, context.requestId);
  });

  for (const failing of ['alert.created', 'policy.violated']) {
    test(`${target.name}: a scan stores nothing when its event ${failing} cannot be stored`, async (t) => {
      const { scans, context, listAlerts, events, storage } = await createWorld(t, {
        target,
        wrap: (storage) => withFailingOutbox(storage, failing),
      });
      const scanning = scans.scan(context, { response: `Card ${CARD}` });
      const error = await scanning.then(() => null, String);
      const [id = ''] = /scn_\w+/.exec(error ?? '') ?? [];
      assert.equal(error, `Error: The outbox is full of ${id}`);
      const { organizationId } = context.principal;
      assert.equal(await storage.findScan(organizationId, id), null);
      assert.equal((await listAlerts()).total, 0);
      assert.deepEqual(await events(), []);
    });
  }

  test(`${target.name}: a scan is recorded with its caller, hashes and tags`, async (t) => {
    const { scans, context, clock } = await createWorld(t, { target });
    await clock.advance(1_500);
    const { scan } = await scans.scan(context, {
      prompt: 'Où ?',
      response: BENIGN,
      context: ['one', 'two'],
      metadata: { team: 'search', attempt: 2, retry: true },
    });
    const stored = await scans.get(context, scan.id);
    assert.equal(stored.memberId, context.principal.memberId);
    assert.equal(stored.keyId, context.principal.keyId);
    assert.equal(stored.promptHash, sha256('Où ?'));
    assert.equal(stored.responseHash, sha256(BENIGN));
    assert.equal(stored.contextHash, sha256('["one","two"]'));
    assert.deepEqual(stored.metadata, { team: 'search', attempt: 2, retry: true });
    assert.deepEqual(stored.policies, [{ id: BUILT_IN_POLICY_ID, version: 1, mode: 'enforce' }]);
    assert.deepEqual(stored.createdAt, new Date('2026-01-01T00:00:01.500Z'));
    assert.ok(stored.durationMs >= 0);
  });
}

/** The real storage, with an outbox that fails for one event type after the others are written. */
function withFailingOutbox(storage: GovernanceStorage, type: string): GovernanceStorage {
  return {
    ...storage,
    transaction: (scope, work) =>
      storage.transaction(scope, (tx) => {
        let scanId = '';
        const failing: Pick<typeof tx, 'insertScan' | 'outbox'> = {
          insertScan: (scan) => {
            scanId = scan.id;
            return tx.insertScan(scan);
          },
          outbox: {
            ...tx.outbox,
            async append(event) {
              if (event.type === type) throw new Error(`The outbox is full of ${scanId}`);
              await tx.outbox.append(event);
            },
          },
        };
        return work(Object.assign(Object.create(tx), failing));
      }),
  };
}

test("neither the database nor its log contains any text of a scan's prompt, response, context or matches", async (t) => {
  const { scans, context, opened } = await createWorld(t);
  await scans.scan(context, {
    prompt: `A zebra asks about ${CARD}`,
    response: `An okapi answers ${EMAIL} and social security number ${SSN}`,
    context: [`A tapir quotes ${INJECTION}`],
    metadata: { marker: 'a-tag-that-is-kept' },
  });
  assert.equal(opened.kind, 'sql');
  const path = opened.kind === 'sql' ? opened.url.replace('sqlite:', '') : '';
  const names = await readdir(dirname(path));
  assert.ok(names.some((name) => name.endsWith('-wal')));
  const files = await Promise.all(names.map((name) => readFile(join(dirname(path), name))));
  const bytes = Buffer.concat(files);
  assert.ok(bytes.includes('a-tag-that-is-kept'), 'the search sees what is stored');
  // Long enough not to occur by chance in an identifier.
  const secrets = ['zebra asks', 'okapi answers', 'tapir quotes', 'previous instructions'];
  for (const text of [...secrets, CARD, CARD.replaceAll(' ', ''), EMAIL, SSN]) {
    assert.equal(bytes.includes(text), false, `${text} is stored`);
  }
});

test('a scan with more than a thousand findings stores the most severe and counts all', async (t) => {
  const { scans, context } = await createWorld(t);
  const addresses = Array.from({ length: 1_200 }, (_, n) => `user${n}@example.org`);
  const { scan } = await scans.scan(context, {
    response: `${addresses.join(' ')} and card ${CARD}`,
  });
  assert.equal(scan.findings.length, MAX_FINDINGS);
  const stored = await scans.get(context, scan.id);
  assert.deepEqual(stored, scan);
  assert.equal(stored.findingCount, 1_201);
  assert.equal(stored.findings[0]?.type, 'credit_card');
});

test('a scan whose signal aborts is canceled and stores nothing', async (t) => {
  const { scans, context, events, listAlerts } = await createWorld(t);
  const gone = new AbortController();
  const scanning = scans.scan(
    { ...context, signal: gone.signal },
    { response: `${EMAIL} wrote this. `.repeat(50_000) },
  );
  gone.abort();
  await assert.rejects(scanning, ScanCanceledError);
  assert.equal((await listAlerts()).total, 0);
  assert.deepEqual(await events(), []);
});

test("another organization's scan is not found", async (t) => {
  const { scans, context } = await createWorld(t);
  const { scan } = await scans.scan(context, { response: BENIGN });
  const principal = { ...context.principal, organizationId: 'org_other' };
  await assert.rejects(scans.get({ ...context, principal }, scan.id), {
    kind: 'not_found',
  });
});

for (const target of targets) {
  test(`${target.name}: a scan that joins a transaction is rolled back with it`, async (t) => {
    const { scans, context, opened, listAlerts, events } = await createWorld(t, { target });
    const database: Database = opened.database;
    const joined = database.transaction(async (session) => {
      const unit = { open: async () => session };
      await scans.scan({ ...context, unit }, { response: `Card ${CARD}` });
      throw new Error('the caller fails');
    });
    await assert.rejects(joined, /the caller fails/);
    assert.equal((await listAlerts()).total, 0);
    assert.deepEqual(await events(), []);
  });
}

const failing = (): Pipeline =>
  createPipeline(
    { stages: [{ name: 'toxicity_scanner', failOpen: false }] },
    {
      stages: {
        toxicity_scanner: () => ({
          name: 'toxicity_scanner',
          targets: ['response'],
          run: () => Promise.reject(new Error('the model is not loaded')),
        }),
      },
    },
  );

test('a stage that fails closed blocks under the built-in policy, with one alert and both events', async (t) => {
  const { scans, context, listAlerts, events } = await createWorld(t, { pipeline: failing() });
  const { scan } = await scans.scan(context, { response: BENIGN });
  assert.equal(scan.violation?.code, 'POLICY_BLOCKED');
  assert.equal(scan.violation?.policyId, BUILT_IN_POLICY_ID);
  const { items } = await listAlerts();
  assert.deepEqual(
    items.map(({ type, severity }) => [type, severity]),
    [['policy', 'high']],
  );
  assert.equal((await events()).length, 2);
});

test('a scan in code refuses texts of another type and unknown members', async (t) => {
  const { scans, context } = await createWorld(t);
  const prompt = `My social security number is ${SSN}.`;
  for (const [request, message] of [
    [
      { response: BENIGN, prompt: [{ type: 'text', text: prompt }] },
      /input\.prompt must be a stri/,
    ],
    [{ response: BENIGN, prompt: new String(prompt) }, /input\.prompt must be a string/],
    [{ response: BENIGN, context: { text: prompt } }, /input\.context must be a list of strings/],
    [{ response: BENIGN, promt: prompt }, /scan: promt is not an option; known are prompt, respo/],
    [{ response: BENIGN, system: prompt }, /scan: system is not an option/],
  ] as const) {
    const scanning = scans.scan(context, request as never);
    await assert.rejects(scanning, { name: 'TypeError', message });
  }
  for (const policyIds of [[], '', BUILT_IN_POLICY_ID]) {
    const scanning = scans.scan(context, { response: prompt, policyIds } as never);
    await assert.rejects(scanning, { kind: 'validation_failed' });
  }
  const { scan } = await scans.scan(context, { response: BENIGN, prompt: null, context: null });
  assert.equal(scan.verdict, 'allowed');
});

test('scan() in code scans and stores a prompt alone, as the HTTP API does', async (t) => {
  const { scans, context } = await createWorld(t);
  const { scan } = await scans.scan(context, { prompt: INJECTION, response: '' });
  assert.equal(scan.verdict, 'blocked');
  assert.deepEqual(await scans.get(context, scan.id), scan);
  const wrong: [ScanRequest, RegExp][] = [
    [{ prompt: INJECTION }, /give the model's response, or '' with a prompt/],
    [{ response: '' }, /must not be empty without a prompt/],
  ];
  for (const [request, message] of wrong) {
    await assert.rejects(scans.scan(context, request), (error: Error) => {
      assert.match(JSON.stringify(error), message);
      return true;
    });
  }
});
