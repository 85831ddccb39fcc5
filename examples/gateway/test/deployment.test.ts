import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { parse, parseAllDocuments } from 'yaml';
import { parseDockerfile, textsOf } from './dockerfile.ts';

const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = join(EXAMPLE, '../..');
const { resolve } = createRequire(import.meta.url);
const GATEWAY = join(dirname(resolve('@probity/gateway/package.json')), 'bin/probity-gateway.js');

const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');

async function validate(t: TestLifetime, text: string): Promise<string> {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  writeFileSync(file, text);
  const args = [GATEWAY, '--validate-config', file];
  const program = await spawnProgram(process.execPath, args, { test: t });
  assert.equal(await program.exited, 0, program.stderr);
  return program.stdout;
}

const [build = [], run = []] = parseDockerfile(read('Dockerfile'));
const mounted = '/var/lib/probity-gateway';

test('the image is built in stages, runs without root, and writes to its volume alone', () => {
  assert.match(build[0]?.text ?? '', /^node:22-bookworm AS build$/);
  assert.equal(run[0]?.text, 'node:22-bookworm-slim');
  assert.deepEqual(textsOf(run, 'USER'), ['1000:1000']);
  assert.deepEqual(textsOf(run, 'COPY'), ['--from=build /app /app']);
  assert.deepEqual(textsOf(run, 'VOLUME'), [mounted]);
  const written = textsOf(run, 'ENV').filter((text) => /FOLDER|DATABASE/.test(text));
  assert.equal(written.length, 2);
  for (const text of written) assert.ok(text.includes(mounted), text);
  assert.deepEqual(textsOf(run, 'EXPOSE'), ['8080 50052 9090']);
  for (const name of ['ENTRYPOINT', 'CMD']) {
    const [text = ''] = textsOf(run, name);
    assert.ok(Array.isArray(JSON.parse(text)), text);
  }
  const names = run.map(({ name }) => name);
  assert.ok(names.indexOf('USER') > names.lastIndexOf('RUN'));
});

test('the image packs the packages that the gateway needs, and its entry is there', () => {
  const packing = textsOf(build, 'RUN').find((text) => text.includes('npm pack')) ?? '';
  const packed = [...packing.matchAll(/--workspace (\S+)/g)].map(([, path = '']) => path);
  const manifest = (path: string) =>
    JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
      name: string;
      dependencies?: Record<string, string>;
    };
  const names = packed.map((path) => manifest(path).name);
  for (const path of packed) {
    const needed = Object.keys(manifest(path).dependencies ?? {});
    for (const name of needed.filter((each) => each.startsWith('@probity/'))) {
      assert.ok(names.includes(name), `${name} for ${path}`);
    }
  }
  // What core needs for HTTP is its optional peers, which nothing else installs.
  const own = Object.keys(manifest('packages/gateway').dependencies ?? {});
  for (const name of ['koa', '@koa/router']) assert.ok(own.includes(name), name);
  const [entry = ''] = textsOf(run, 'ENTRYPOINT');
  const program = (JSON.parse(entry) as string[])[1]?.replace(
    '/app/node_modules/@probity/gateway',
    join(ROOT, 'packages/gateway'),
  );
  assert.ok(existsSync(program ?? ''), program);
});

test('the configuration in the container is valid', async (t) => {
  assert.match(await validate(t, read('container.yaml')), /valid/);
});

test('Compose starts the gateway read only and without rights, with PostgreSQL and Redis', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const { gateway, postgres, redis } = services;
  assert.ok(existsSync(join(EXAMPLE, gateway.build.context, gateway.build.dockerfile)));
  assert.equal(gateway.read_only, true);
  assert.deepEqual(gateway.cap_drop, ['ALL']);
  assert.deepEqual(gateway.security_opt, ['no-new-privileges:true']);
  assert.deepEqual(Object.keys(gateway.depends_on), ['postgres', 'redis']);
  assert.ok(postgres.healthcheck && redis.healthcheck);
  assert.ok(gateway.volumes.includes(`gateway:${mounted}`));
  assert.deepEqual(Object.keys(volumes), ['gateway', 'postgres']);
  assert.match(gateway.environment.PROBITY_GATEWAY_DATABASE_URL, /@postgres\/probity$/);
  assert.equal(parse(read('container.yaml')).caching.host, 'redis');
});

test('the manifests of Kubernetes have probes, limits and no rights, and fit together', async (t) => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });
  const byKind = Object.fromEntries(documents.map((each) => [each.kind, each]));
  assert.match(await validate(t, byKind.ConfigMap.data['gateway.yaml']), /valid/);
  const { spec } = byKind.StatefulSet;
  const { spec: pod, metadata } = spec.template;
  assert.deepEqual(byKind.Service.spec.selector, metadata.labels);
  assert.deepEqual(spec.selector.matchLabels, metadata.labels);
  assert.deepEqual(byKind.PodDisruptionBudget.spec.selector.matchLabels, metadata.labels);
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  const [container] = pod.containers;
  const { livenessProbe, readinessProbe, startupProbe, resources, securityContext } = container;
  assert.deepEqual(livenessProbe.httpGet, { path: '/health', port: 'http' });
  for (const probe of [readinessProbe, startupProbe]) {
    assert.deepEqual(probe.httpGet, { path: '/ready', port: 'http' });
  }
  assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
  assert.equal(securityContext.readOnlyRootFilesystem, true);
  assert.equal(securityContext.allowPrivilegeEscalation, false);
  assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const { targetPort } of byKind.Service.spec.ports) assert.ok(ports.includes(targetPort));
  const claims = spec.volumeClaimTemplates.map(
    (claim: { metadata: { name: string } }) => claim.metadata.name,
  );
  const volumes = [...pod.volumes.map(({ name }: { name: string }) => name), ...claims];
  for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name), name);
  const state = container.volumeMounts.find(({ name }: { name: string }) => name === 'state');
  assert.equal(state.mountPath, mounted);
});
