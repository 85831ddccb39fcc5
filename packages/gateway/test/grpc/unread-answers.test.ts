import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import type { ScanStreamCall } from '../../src/grpc/scan-stream.ts';
import { serveScanStream } from '../../src/grpc/scan-stream.ts';

test('a client that sends scans and takes no answers has no more read, until it takes them', async () => {
  const sent = 5_000;
  let begun = 0;
  let answered = 0;
  let take = () => {};
  let isTaking = false;
  const call = new Duplex({
    objectMode: true,
    read: () => undefined,
    write(_answer, _encoding, done) {
      answered++;
      if (isTaking) setImmediate(done);
      else take = done;
    },
  });
  serveScanStream(
    call as unknown as ScanStreamCall,
    {
      identify: async () => ({}),
      limit: async () => void begun++,
      trace: () => undefined,
      scanner: () => ({}),
      contextOf: (_caller: unknown, requestId: string) => ({ requestId }),
      scanWhole: async () => ({}),
      fail: assert.fail,
      ending: { begun: new AbortController().signal, forced: new AbortController().signal },
    } as never,
  );
  for (let at = 0; at < sent; at++) {
    const message = { scan: { request_id: `scan-${at}`, response: 'Hello.' } };
    call.push({ message, bytes: '', size: 0, memory: { give: () => undefined } });
  }
  for (let turn = 0; turn < 2 * sent; turn++) await new Promise(setImmediate);
  assert.ok(begun >= 1_000 && begun < 1_200, String(begun));
  isTaking = true;
  take();
  await until(() => answered === sent, 'all are answered');
});
