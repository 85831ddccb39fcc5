import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { startCluster, WORKERS } from '../cluster/cluster-world.ts';
import { openExchange, part, post, startEnvoyGateway } from '../ext-proc/envoy.ts';
import { configuration, send, serve } from '../mcp/world.ts';
import { run } from '../program/run.ts';
import { PII_TEXTS } from '../texts.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import { assertAbsent, below, startReceiver } from './receiver.ts';
import {
  PARENT_ID,
  PROMPT,
  TRACE_ID,
  tracedText,
  traceparent,
  tracingText,
} from './tracing-world.ts';

const ROUTE = 'POST /api/v1/governance/scan';

test('a reload goes on with the new exporter, and what ended before reaches the old one', async (t) => {
  const [first, second] = [await startReceiver(t), await startReceiver(t)];
  // Without a flush, nothing would be exported for an hour.
  const env = { OTEL_BSP_SCHEDULE_DELAY: '3600000' };
  const gateway = await startGateway(t, tracedText(first), { env });
  await gateway.scan({ response: 'Fine.' });
  gateway.write(tracedText(second));
  await gateway.gateway.reloader.reload();
  await first.waitFor(({ name }) => name === ROUTE);
  await gateway.scan({ response: 'Fine.' });
  gateway.write(LOOPBACK);
  await gateway.gateway.reloader.reload();
  await second.waitFor(({ name }) => name === ROUTE);
  await gateway.scan({ response: 'Fine.' });
  gateway.write(tracedText(first, 'gen_ai_attributes: true'));
  await gateway.gateway.reloader.reload();
  await gateway.scan({ response: 'Fine.' });
  await gateway.gateway.stop();
  assert.equal(first.named(ROUTE).length, 2);
  assert.equal(second.named(ROUTE).length, 1);
  const [one, two] = first.named(ROUTE).map(({ attributes }) => attributes['probity.config_hash']);
  assert.notEqual(one, two);
});

test('a reload whose certificate cannot be read leaves the exporter in force', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  gateway.write(tracedText(receiver, 'ca_cert_path: /nowhere/ca.pem'));
  await assert.rejects(gateway.gateway.reloader.reload(), /observability\.ca_cert_path/);
  await gateway.scan({ response: 'Fine.' });
  await gateway.gateway.stop();
  assert.equal(receiver.named(ROUTE).length, 1);
});

test('each process of a gateway exports, and SIGTERM loses no span of a scan that was answered', async (t) => {
  const receiver = await startReceiver(t);
  const env = { OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
  const cluster = await startCluster(t, tracingText(receiver), env);
  const scans = 30;
  for (let scan = 0; scan < scans; scan++) {
    await (await cluster.scan({ response: PII_TEXTS.ssn })).text();
  }
  cluster.write(tracingText(receiver, 'gen_ai_attributes: true'));
  assert.equal((await cluster.reload()).status, 200);
  for (let scan = 0; scan < scans; scan++) {
    await (await cluster.scan({ response: PII_TEXTS.ssn })).text();
  }
  process.kill(cluster.program.pid, 'SIGTERM');
  assert.equal(await cluster.program.exited, 0);
  const requests = receiver.named(ROUTE);
  assert.equal(requests.length, 2 * scans);
  const instances = new Set(requests.map(({ resource }) => resource['service.instance.id']));
  assert.equal(instances.size, WORKERS);
  assertAbsent(receiver, ['536-22-8145', cluster.token]);
});

const HOOK = `export async function resolve(name, context, next) {
  const found = await next(name, context);
  if (found.url.includes('opentelemetry')) console.error('LOADED ' + found.url);
  return found;
}`;

test('a check of a file loads nothing of OpenTelemetry, even where it traces', async (t) => {
  const folder = temporaryFolder(t).path;
  const hook = join(folder, 'hook.mjs');
  const start = join(folder, 'start.mjs');
  const file = join(folder, 'gateway.yaml');
  writeFileSync(hook, HOOK);
  const register = `import { register } from 'node:module';\nregister(${JSON.stringify(`file://${hook}`)});`;
  writeFileSync(start, register);
  const env = { NODE_OPTIONS: `--import=file://${start}` };
  writeFileSync(file, tracedText({ url: 'http://127.0.0.1:1' }, 'ca_cert_path: /nowhere'));
  const checked = await run(['--validate-config', file], { env });
  assert.equal(checked.code, 0);
  assert.ok(!checked.stderr.includes('LOADED'), checked.stderr);
  // The same hook sees it loaded by a gateway that traces.
  const { program } = await startCluster(t, tracingText({ url: 'http://127.0.0.1:1' }), env);
  assert.match(program.stderr, /LOADED/);
});

test('a request to an MCP server has a span below the request, and the server is sent the id of the trace', async (t) => {
  const receiver = await startReceiver(t);
  const backend = await serve(t, (_request, response, body) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { 'content-type': 'application/json' });
    const result = { content: [{ type: 'text', text: 'marker-result' }] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const text = configuration(backend.url) + tracingText(receiver);
  const gateway = await startGateway(t, text, { env: PROMPT });
  const params = { name: 'marker-tool', arguments: { text: 'marker-argument' } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const sent = { traceparent: traceparent(), baggage: 'user=marker' };
  const answer = await send(gateway, call, { headers: sent });
  assert.match(await answer.text(), /marker-result/);
  await gateway.gateway.stop();
  const [request] = receiver.named('POST /mcp/{server_id}');
  assert.ok(request);
  assert.equal(request.parentSpanId, PARENT_ID);
  const [upstream, ...others] = below(receiver, request).filter(({ kind }) => kind === 'client');
  assert.ok(upstream);
  assert.deepEqual(others, []);
  assert.equal(upstream.attributes['server.port'], Number(new URL(backend.url).port));
  const [received] = backend.received;
  assert.equal(received?.headers.traceparent, `00-${TRACE_ID}-${upstream.spanId}-01`);
  assert.equal(received?.headers.baggage, undefined);
  assert.equal(below(receiver, request).filter(({ name }) => name === 'scan').length, 2);
  assertAbsent(receiver, ['marker']);
});

test('an exchange with Envoy is a span, below which its scans are', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startEnvoyGateway(t, tracedText(receiver));
  const exchange = openExchange(t, gateway, { metadata: { traceparent: traceparent() } });
  await exchange.ask(post('/v1/chat/completions'));
  const messages = [{ role: 'user', content: `marker ${PII_TEXTS.ssn}` }];
  const reply = await exchange.ask(part('request', { model: 'm', messages }));
  assert.equal(reply.status, 403);
  exchange.end();
  await exchange.rest();
  await gateway.gateway.stop();
  const [request] = receiver.named('envoy.service.ext_proc.v3.ExternalProcessor/Process');
  assert.ok(request);
  assert.equal(request.parentSpanId, PARENT_ID);
  assert.equal(request.attributes['rpc.response.status_code'], 'OK');
  assert.equal(request.attributes['probity.verdict'], 'blocked');
  const [scan] = below(receiver, request);
  assert.equal(scan?.attributes['probity.violation.code'], 'PII_DETECTED');
  assertAbsent(receiver, ['marker', '536-22-8145', gateway.token]);
});
