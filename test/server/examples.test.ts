import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { startHttpsReceiver, startSmtpPeer, temporaryFolder } from '@probity/test-support';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RecordedCall } from './example-calls.ts';
import { recordCalls } from './example-calls.ts';
import type { StoredExample } from './example-files.ts';
import { storedOperations, writeExamples } from './example-files.ts';
import { createExampleValues } from './example-values.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import { bootstrap, call, serve, serveProcess } from './support.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface Operation {
  readonly path: string;
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

/** The JSON bodies of one operation: its request, and its responses by status. */
interface Bodies {
  readonly operationId: string;
  readonly request: Media | undefined;
  readonly responses: ReadonlyMap<number, Media>;
}

const jsonOf = (content: Readonly<Record<string, Media>> = {}) =>
  content['application/json'] ?? content['application/scim+json'];

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
async function readDocument(url: string): Promise<any> {
  return (await call(`${url}/openapi.json`, null)).body;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
function operationsIn(document: any): Operation[] {
  const paths = Object.entries(document.paths) as Array<[string, Record<string, Operation>]>;
  return paths.flatMap(([path, operations]) =>
    Object.values(operations).map((operation) => ({ ...operation, path })),
  );
}

function bodiesOf({ operationId, requestBody, responses }: Operation): Bodies {
  const declared = Object.entries(responses).flatMap(([status, { content }]) => {
    const media = jsonOf(content);
    return media ? [[Number(status), media] as const] : [];
  });
  return { operationId, request: jsonOf(requestBody?.content), responses: new Map(declared) };
}

/** Compiles schemas of a document. */
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
function createValidators(document: any): (media: Media) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  return ({ schema }) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
}

/** The status of the response that examples show: the first success that has one, else the first. */
function mainStatusOf({ responses }: Bodies): number | undefined {
  const successes = [...responses.keys()].filter((status) => status < 300);
  return successes.find((status) => responses.get(status)?.example !== undefined) ?? successes[0];
}

test('every operation of the OpenAPI document has examples of its bodies, which fit their schemas', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const document = await readDocument(url);
  const validatorOf = createValidators(document);
  const operations = operationsIn(document).map(bodiesOf);
  for (const bodies of operations) {
    const { operationId, request, responses } = bodies;
    const main = mainStatusOf(bodies);
    // What cannot succeed needs no examples.
    const required = main === undefined ? [] : [request, responses.get(main)];
    for (const media of required.filter((each) => each !== undefined)) {
      assert.notEqual(media.example, undefined, `${operationId}: ${REMEDY}`);
    }
    for (const media of [request, ...responses.values()]) {
      if (media?.example === undefined) continue;
      const validate = validatorOf(media);
      assert.ok(validate(media.example), `${operationId}: ${JSON.stringify(validate.errors)}`);
    }
  }
  const known = new Set(operations.map(({ operationId }) => operationId));
  const stale = storedOperations().filter((each) => !known.has(each));
  assert.deepEqual(stale, [], REMEDY);
});

test('what the server receives and answers is what its OpenAPI document describes, and its examples show', async (t) => {
  const { url, calls, recordedAt } = await record(t);
  const document = await readDocument(url);
  const operations = operationsIn(document);
  const validatorOf = createValidators(document);
  const examples = new Map<string, StoredExample>();
  const toExample = createExampleValues(recordedAt);
  for (const { operationId, request, status, response } of calls) {
    const operation = operations.find((each) => each.operationId === operationId);
    assert.ok(operation, operationId);
    const bodies = bodiesOf(operation);
    const sent = request === undefined ? undefined : bodies.request;
    const answered = bodies.responses.get(status);
    assert.equal(answered !== undefined, response !== null, `${operationId} ${status}`);
    for (const [media, body] of [
      [sent, request],
      [answered, response],
    ] as const) {
      if (!media) continue;
      const validate = validatorOf(media);
      assert.ok(validate(body), `${operationId} ${status}: ${JSON.stringify(validate.errors)}`);
      assert.deepEqual(
        isWriting || membersOf(media.example),
        isWriting || membersOf(body),
        `${operationId}: ${REMEDY}`,
      );
    }
    // The examples of an alias are its endpoint's.
    if (operationId.includes('At') || !(sent || answered)) continue;
    const before = examples.get(operationId);
    examples.set(operationId, {
      ...(sent && { request: before?.request ?? toExample(request) }),
      ...(answered && {
        responses: { ...before?.responses, [status]: shorten(operationId, toExample(response)) },
      }),
    });
  }
  if (!isWriting) return;
  const pathOf = (id: string) => operations.find((each) => each.operationId === id)?.path ?? '';
  writeExamples(examples, pathOf);
});

const isWriting = process.env.WRITE_EXAMPLES === '1';
const REMEDY = 'record the examples: WRITE_EXAMPLES=1 npm test -- test/server/examples.test.ts';

/** The document is not an example of itself. */
function shorten(operationId: string, body: unknown): unknown {
  if (operationId !== 'getOpenApiDocument') return body;
  const { openapi, info } = body as Record<string, unknown>;
  return { openapi, info };
}

/** Names of an object's members; those of the document differ in its own example. */
function membersOf(body: unknown): string[] {
  const names = Object.keys((body ?? {}) as object);
  return names.includes('openapi') ? ['openapi'] : names.sort();
}

async function record(
  t: TestContext,
): Promise<{ url: string; calls: RecordedCall[]; recordedAt: Date }> {
  const recordedAt = new Date();
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const receiver = await startHttpsReceiver({ test: t });
  const inbox = await startSmtpPeer(t);
  const owner = await bootstrap(location);
  const env = {
    PROBITY_SMTP_URL: inbox.url,
    PROBITY_MAIL_FROM: 'probity@acme.example',
    ...(await integrationEnvironment()),
  };
  const { url } = await serveProcess(t, location, { receiver, env });
  return { url, calls: await recordCalls({ url, owner, inbox, receiver }), recordedAt };
}
