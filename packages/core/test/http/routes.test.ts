import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint, HttpMethod } from '../../src/http/endpoint.ts';
import { createRoutes } from '../../src/http/routes.ts';

function routesOf(lines: readonly string[], aliases: readonly string[] = []) {
  const endpoints = lines.map((line) => {
    const [method, path] = line.split(' ') as [HttpMethod, string];
    return { method, path, aliases } as unknown as Endpoint;
  });
  return createRoutes(endpoints, ({ method, path }) => `${method} ${path}`);
}

const routes = routesOf([
  'GET /things',
  'POST /things',
  'GET /things/{id}',
  'DELETE /things/{id}',
  'GET /things/mine',
  'GET /things/{id}/parts/{part}',
]);

test('a path leads to its endpoint, exact in case and in slashes', () => {
  const cases = [
    ['GET', '/things', 'GET /things', {}],
    ['HEAD', '/things', 'GET /things', {}],
    ['GET', '/things/7', 'GET /things/{id}', { id: '7' }],
    ['GET', '/things/7/parts/a%20b', 'GET /things/{id}/parts/{part}', { id: '7', part: 'a b' }],
    ['GET', '/things/%E0%A4', 'GET /things/{id}', { id: '%E0%A4' }],
    ['GET', '/things/50%%25', 'GET /things/{id}', { id: '50%%25' }],
    ['GET', `/things/${'x'.repeat(9_000)}`, 'GET /things/{id}', { id: 'x'.repeat(9_000) }],
    ['GET', '/%74hings/7', 'GET /things/{id}', { id: '7' }],
    ['GET', '/things/7%2Fparts%2F8', 'GET /things/{id}', { id: '7/parts/8' }],
    ['GET', '/things/__proto__', 'GET /things/{id}', { id: '__proto__' }],
  ] as const;
  for (const [method, path, route, params] of cases) {
    const match = routes.find(method, path);
    assert.equal(match?.route, route, path);
    assert.deepEqual({ ...match?.params }, params, path);
  }
  for (const path of [
    '/',
    '',
    'things',
    'xthings',
    'https://q/things',
    '/Things',
    '/things/',
    '//things',
    '/things/7/parts/',
    '/things//parts/8',
  ]) {
    assert.equal(routes.find('GET', path), null, path);
    assert.deepEqual(routes.methodsAt(path), [], path);
  }
});

test('a fixed path segment precedes a parameter, which serves the methods that the fixed one lacks', () => {
  assert.equal(routes.find('GET', '/things/mine')?.route, 'GET /things/mine');
  const removed = routes.find('DELETE', '/things/mine');
  assert.equal(removed?.route, 'DELETE /things/{id}');
  assert.equal(removed.params.id, 'mine');
  assert.equal(routes.find('GET', '/things/mine/parts/1')?.params.id, 'mine');
  assert.deepEqual(routes.methodsAt('/things/mine'), ['DELETE', 'GET', 'HEAD']);
  assert.deepEqual(routes.methodsAt('/things'), ['GET', 'HEAD', 'POST']);
});

test('two endpoints with the same method and path are rejected', () => {
  assert.throws(
    () => routesOf(['GET /a/{x}', 'GET /a/{y}']),
    /'GET' already declared for route '\/a\/:'/,
  );
});

test('a path parameter has the decoded value of its segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const match = routes.find('GET', `/things/x${encodeURIComponent(text)}`);
      assert.equal(match?.params.id, `x${text}`);
    }),
  );
});
