import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createOnnxClassifier } from '../../src/backends/index.ts';
import { GUARD, inOnnxWorld, onnxMissing } from './world.ts';

const never = new AbortController().signal;
const labels = { INJECTION: 'prompt_injection' };

/** A hub that has the files of a folder: `/owner/guard/resolve/main/config.json`. */
async function withHub(
  folder: string,
  run: (hub: { url: string; asked: string[] }) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const file = join(folder, url.replace(/^\/owner\/guard\/resolve\/main\//, ''));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a model that is not there', { skip: onnxMissing() }, () => {
  it(
    'a missing model is not downloaded unless that is allowed',
    inOnnxWorld(async ({ folder, write, using, given }) => {
      await withHub(write('source', GUARD), async ({ url, asked }) => {
        const place = { model: 'owner/guard', modelFolder: join(folder, 'kept'), ...given };
        const { classify } = using(createOnnxClassifier({ ...place, labels, remoteHost: url }));
        await assert.rejects(classify(['a'], never), { failure: 'model' });
        assert.deepEqual(asked, []);
      });
    }),
  );

  it(
    'a missing model is downloaded once where allowed, and found without a network afterwards',
    inOnnxWorld(async ({ folder, write, using, given }) => {
      const place = { model: 'owner/guard', modelFolder: join(folder, 'kept'), ...given };
      await withHub(write('source', GUARD), async ({ url, asked }) => {
        const remote = { ...place, labels, remoteHost: url, allowRemote: true };
        const { classify } = using(createOnnxClassifier(remote));
        const [[found] = []] = await classify(['override'], never);
        assert.ok((found?.score ?? 0) > 0.99);
        assert.ok(asked.includes('/owner/guard/resolve/main/onnx/model.onnx'));
      });
      const { classify } = using(createOnnxClassifier({ ...place, labels }));
      const [[found] = []] = await classify(['override'], never);
      assert.ok((found?.score ?? 0) > 0.99);
    }),
  );
});
