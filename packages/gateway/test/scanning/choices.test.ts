import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/read-config.ts';
import { createSnapshot } from '../../src/snapshot/snapshot.ts';
import { connect } from '../grpc/client.ts';
import { CLOUD_KEY } from '../texts.ts';
import { startGateway } from '../world.ts';

const TEXT =
  'scanning: {stages: [{name: pii_scanner}, {name: secrets_scanner}, {name: terms_scanner, threshold: 0.5}]}\n' +
  'stage_config: {terms_scanner: {lists: [{terms: [Nightjar]}]}}';

test('a caller of gRPC chooses secrets_scanner and terms_scanner, where they are on', async (t) => {
  const client = connect(t, await startGateway(t, TEXT));
  const ask = (response: string, ...stages: readonly string[]) => client.scan({ response, stages });
  const secret = `Use ${CLOUD_KEY}.`;
  assert.equal((await ask(secret)).verdict, 'VERDICT_BLOCKED');
  assert.equal((await ask(secret, 'terms_scanner')).verdict, 'VERDICT_ALLOWED');
  const blocked = await ask(secret, 'secrets_scanner');
  assert.deepEqual(
    [blocked.verdict, blocked.code, blocked.violation_reason],
    ['VERDICT_BLOCKED', 'POLICY_BLOCKED', 'secrets_scanner found api_key'],
  );
  const [finding] = blocked.findings as { severity: string; type: string }[];
  assert.deepEqual([finding?.type, finding?.severity], ['api_key', 'high']);
  const ran = (blocked.stages as { stage: string; status: string; threshold: number }[]).map(
    ({ stage, status, threshold }) => [stage, status, threshold],
  );
  assert.deepEqual(ran, [
    ['pii_scanner', 'STAGE_SKIPPED_DISABLED', 0.6],
    ['secrets_scanner', 'STAGE_RAN', 0.8],
    ['terms_scanner', 'STAGE_SKIPPED_DISABLED', 0.5],
  ]);
  const { stages } = (await client.pipeline()) as { stages: readonly { name: string }[] };
  assert.deepEqual(
    stages.map(({ name }) => name),
    ['pii_scanner', 'secrets_scanner', 'terms_scanner'],
  );
  const off = connect(t, await startGateway(t));
  await assert.rejects(
    off.scan({ response: 'Hi.', stages: ['secrets_scanner'] }),
    /no stage that is on/,
  );
});

test('the choices that callers make share the index of a list', async (t) => {
  const terms = Array.from({ length: 20_000 }, (_, at) => `nightjar ${at}`);
  const text = `scanning: {stages: [{name: pii_scanner}, {name: secrets_scanner}, {name: injection_scanner}, {name: terms_scanner}]}
stage_config: {terms_scanner: {lists: [{terms: ${JSON.stringify(terms)}}]}}`;
  const { config } = await readConfig(Buffer.from(text), {}, '.');
  assert.ok(config);
  const snapshot = createSnapshot(config, { now: new Date(0) });
  const trim = t.mock.method(String.prototype, 'trim');
  /** An index trims each of its terms. */
  const trimsOf = async (...names: readonly string[]) => {
    const before = trim.mock.callCount();
    const { findings } = await snapshot
      .pipelineOf([...names, 'terms_scanner'])
      .scan({ response: 'On nightjar 19999.' });
    assert.equal(findings.length, 1);
    return trim.mock.callCount() - before;
  };
  assert.ok((await trimsOf()) >= 20_000);
  const later = await trimsOf('secrets_scanner');
  assert.ok(later < 2_000, `${later} calls`);
});
