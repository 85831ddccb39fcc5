import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import Router from '@koa/router';
import express from 'express';
import Koa from 'koa';
import { createDashboard, toNodeHandler } from '../src/index.ts';
import { createDashboardRouter } from '../src/koa.ts';

/** Serves the dashboard under `/a/b`, as a host of this kind mounts it. */
const HOSTS: Readonly<Record<string, () => RequestListener>> = {
  Koa() {
    const router = new Router();
    router.use('/a/b', createDashboardRouter().routes());
    return new Koa().use(router.routes()).callback();
  },
  'a nested router of Koa'() {
    const inner = new Router();
    inner.use('/b', createDashboardRouter().routes());
    const outer = new Router();
    outer.use('/a', inner.routes());
    return new Koa().use(outer.routes()).callback();
  },
  Express() {
    const app = express();
    app.use('/a/b', toNodeHandler(createDashboard()));
    return app;
  },
  'node:http'() {
    const handler = toNodeHandler(createDashboard());
    return (request, response) => {
      const originalUrl = request.url ?? '';
      const url = originalUrl.slice('/a/b'.length) || '/';
      handler(Object.assign(request, { url, originalUrl }), response);
    };
  },
};

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const [name, createHost] of Object.entries(HOSTS)) {
  test(`pages and files are served under a prefix in ${name}`, async (t) => {
    const url = await serve(t, createHost());
    const bare = await fetch(`${url}/a/b?x=1`);
    assert.equal(bare.url, `${url}/a/b/?x=1`, 'the mount without its slash leads to it');
    for (const path of ['/a/b/', '/a/b/scans', '/a/b/scans/scn_1']) {
      const answer = await fetch(url + path);
      assert.equal(answer.status, 200, path);
      const html = await answer.text();
      const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? '', url + path);
      assert.equal(base.pathname, '/a/b/', path);
      const script = new URL(/<script[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '', base);
      const file = await fetch(script);
      assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
      await file.arrayBuffer();
    }
    const wrong = await fetch(`${url}/a/b/`, { method: 'DELETE' });
    assert.equal(wrong.status, 405);
  });
}
