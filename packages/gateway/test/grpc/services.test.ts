import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceClientConstructor } from '@grpc/grpc-js';
import { credentials, loadPackageDefinition, makeGenericClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath, service } from 'grpc-health-check';
import { startGateway } from '../world.ts';

type Call = (request: object, done: (error: Error | null, answer?: unknown) => void) => void;

function checkHealth(address: string, name: string): Promise<{ status: string }> {
  const HealthClient = makeGenericClientConstructor(service as never, 'Health');
  const client = new HealthClient(address, credentials.createInsecure());
  const check = (client as unknown as { Check: Call }).Check.bind(client);
  return new Promise((resolve, reject) => {
    check({ service: name }, (error, answer) => {
      client.close();
      if (error) reject(error);
      else resolve(answer as { status: string });
    });
  });
}

test('grpc.health.v1 says SERVING of the server and of the service, without a key', async (t) => {
  const { grpcAddress } = await startGateway(t);
  assert.ok(protoPath);
  for (const name of ['', 'governance.gateway.v1.ScanService']) {
    assert.equal((await checkHealth(grpcAddress, name)).status, 'SERVING');
  }
  await assert.rejects(checkHealth(grpcAddress, 'nothing'), { code: 5 });
});

test('a watch sees NOT_SERVING when the gateway ends', async (t) => {
  const { grpcAddress, gateway } = await startGateway(t);
  const HealthClient = makeGenericClientConstructor(service as never, 'Health');
  const client = new HealthClient(grpcAddress, credentials.createInsecure());
  t.after(() => client.close());
  const watch = client as unknown as {
    Watch(request: object): AsyncIterable<{ status: string }> & { cancel(): void };
  };
  const seen: string[] = [];
  const stream = watch.Watch({ service: '' });
  try {
    for await (const { status } of stream) {
      seen.push(status);
      if (seen.length === 1) void gateway.stop();
      if (seen.length === 2) stream.cancel();
    }
  } catch {
    // The end of the call, which the test itself brings about.
  }
  assert.deepEqual(seen, ['SERVING', 'NOT_SERVING']);
});

for (const version of ['v1', 'v1alpha']) {
  test(`reflection ${version} lists the service`, async (t) => {
    const { grpcAddress } = await startGateway(t);
    const file = new URL(
      `build/proto/grpc/reflection/${version}/reflection.proto`,
      import.meta.resolve('@grpc/reflection/package.json'),
    );
    const loaded = loadPackageDefinition(loadSync(file.pathname)) as unknown as {
      grpc: { reflection: Record<string, { ServerReflection: ServiceClientConstructor }> };
    };
    const Reflection = loaded.grpc.reflection[version]?.ServerReflection;
    assert.ok(Reflection);
    const client = new Reflection(grpcAddress, credentials.createInsecure());
    t.after(() => client.close());
    const stream = (
      client as unknown as {
        ServerReflectionInfo(): NodeJS.ReadWriteStream & AsyncIterable<Record<string, never>>;
      }
    ).ServerReflectionInfo();
    stream.write({ listServices: '' } as never);
    for await (const answer of stream) {
      const { service: services } = answer.listServicesResponse as unknown as {
        service: { name: string }[];
      };
      assert.ok(services.some(({ name }) => name === 'governance.gateway.v1.ScanService'));
      stream.end();
    }
  });
}
