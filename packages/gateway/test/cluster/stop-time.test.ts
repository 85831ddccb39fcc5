import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopTimeOf } from '../../src/cluster/stop-time.ts';
import { read } from '../config/read.ts';

test('workers that end have the time of a call to a model, where models are called', async () => {
  const provider = (enabled: boolean) =>
    `models: {timeout_ms: 60000, providers: {openai: {enabled: ${enabled}, api_key: k}}}\n`;
  const timeOf = async (text: string) => {
    const { config } = await read(`server: {request_timeout_ms: 2000}\n${text}`);
    assert.ok(config);
    return stopTimeOf(config);
  };
  assert.equal(await timeOf(''), 7_000);
  assert.equal(await timeOf(provider(false)), 7_000);
  assert.equal(await timeOf(provider(true)), 65_000);
});
