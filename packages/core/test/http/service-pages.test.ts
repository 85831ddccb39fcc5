import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Middleware } from 'koa';
import { createHostGroups, createHostHandlers } from '../../src/http/host.ts';
import { createReferencePage } from '../../src/http/reference/page.ts';
import type { NodeHandler } from '../../src/probity/handlers.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { addressOf, authenticateByRole, serveKoa } from '../../src/testing/http.ts';

function createHost() {
  const database = createMemoryDatabase();
  const { groups } = createHostGroups([], { database, baseUrl: 'https://host.example/probity' });
  return createHostHandlers(groups, {
    authenticate: authenticateByRole,
    mount: '/probity',
    isMountAssumed: true,
  });
}

function serveNode(t: TestContext, handler: NodeHandler): Promise<string> {
  const server = createServer((request, response) => {
    handler(request, response, () => response.end('host'));
  });
  return addressOf(t, server.listen(0, '127.0.0.1'));
}

const get = (url: string, accept = '*/*') =>
  fetch(url, { headers: { accept }, redirect: 'manual' });

test('the mount answers what the service is, with links, and sends browsers to the reference page', async (t) => {
  const url = await serveNode(t, createHost().node);
  for (const path of ['/probity', '/probity/']) {
    const answer = await get(url + path, 'application/json');
    assert.equal(answer.status, 200);
    const { description: _, ...body } = (await answer.json()) as Record<string, string>;
    assert.deepEqual(body, {
      name: 'Probity',
      version: '1.0.0',
      docs: 'https://host.example/probity/docs',
      openapi: 'https://host.example/probity/openapi.json',
      health: 'https://host.example/probity/status',
    });
    const browser = await get(url + path, 'text/html,application/xhtml+xml');
    assert.equal(browser.status, 303);
    assert.equal(browser.headers.get('location'), 'https://host.example/probity/docs');
    assert.equal(browser.headers.get('vary'), 'Accept');
  }
});

test('the reference page is HTML whose policy forbids scripts and requests', async (t) => {
  const url = await serveNode(t, createHost().node);
  const answer = await get(`${url}/probity/docs`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/);
  const text = await answer.text();
  assert.match(text, /<article id="getStatus">/);
  assert.doesNotMatch(text, /<script|src=|@import|url\(/);
  const tag = answer.headers.get('etag') ?? '';
  const again = await fetch(`${url}/probity/docs`, { headers: { 'if-none-match': tag } });
  assert.equal(again.status, 304);
});

test('a host keeps its own / and /docs where the mount is not part of the path', async (t) => {
  const own: Middleware = (ctx) => {
    ctx.body = `host: ${ctx.path}`;
  };
  const { koa, node } = createHost();
  const url = await serveKoa(t, koa as Middleware, own);
  for (const path of ['/', '/docs']) {
    assert.equal(await (await get(url + path)).text(), `host: ${path}`);
    const other = await serveNode(t, node);
    assert.equal(await (await get(other + path)).text(), 'host');
  }
  assert.equal((await get(`${url}/probity/docs`)).status, 200);
});

test('the pages are served where the framework has removed the mount from the path', async (t) => {
  const { node } = createHost();
  const url = await serveNode(t, (request, response, next) => {
    const shortened = Object.assign(request, { originalUrl: `/anywhere${request.url}` });
    node(shortened, response, next);
  });
  assert.equal((await get(`${url}/docs`)).status, 200);
  assert.equal(((await (await get(`${url}/`)).json()) as { name: string }).name, 'Probity');
});

/** A document with one operation, whose texts are given. */
function documentWith(text: string) {
  const schema = { type: 'object', properties: { [text]: { type: 'string', description: text } } };
  const body = { 'application/json': { schema, example: { text } } };
  const operation = {
    operationId: 'postText',
    summary: text,
    description: text,
    tags: [text],
    security: [{}],
    parameters: [{ name: text, in: 'query', description: text, schema: { enum: [text] } }],
    requestBody: { content: body },
    responses: { 200: { description: text, content: body }, 404: { description: text } },
  };
  return {
    info: { title: text, version: '1', description: text },
    tags: [{ name: text, description: text }],
    paths: { '/texts': { post: operation } },
    components: { schemas: { Text: { description: text, ...schema } } },
  };
}

test('texts of a document cannot become markup of the reference page', () => {
  const text = `<img src=x onerror="alert(1)">&'`;
  const page = createReferencePage(documentWith(text), 'https://host.example/openapi.json');
  const markup = page.bytes.toString();
  assert.doesNotMatch(markup, /<img/);
  assert.match(markup, /&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;&amp;&#39;/);
});

test('the call of an operation on the reference page is one for the shell, with the example', () => {
  const page = createReferencePage(documentWith("it's"), '/openapi.json').bytes.toString();
  const [, call = ''] = /<pre class="call">([^<]*)<\/pre>/.exec(page) ?? [];
  assert.equal(
    call.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
    [
      "curl -X POST '/texts' \\",
      '  -H "Authorization: Bearer $PROBITY_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"text":"it'\\''s"}'`,
    ].join('\n'),
  );
});

test('the reference page shows references, lists, alternatives and nested members', () => {
  const reference = { $ref: '#/components/schemas/Text' };
  const document = documentWith('plain');
  const properties = {
    list: { type: 'array', items: reference },
    either: { anyOf: [reference, { type: 'null' }] },
    inner: { type: 'object', properties: { fixed: { const: 1 } }, required: ['fixed'] },
    short: { type: ['string', 'null'], maxLength: 5, default: 'a' },
    open: {},
  };
  const components = { schemas: { Text: { type: 'object', properties } } };
  const page = createReferencePage({ ...document, components }, '/openapi.json').bytes.toString();
  for (const piece of [
    'list of <a href="#schema-Text">Text</a>',
    '<a href="#schema-Text">Text</a> | null',
    '<code>inner.fixed</code><em>required</em>',
    '<code>1</code>',
    'string | null',
    'longest <code>5</code>, default <code>a</code>',
    'any value',
  ]) {
    assert.ok(page.includes(piece), piece);
  }
});
