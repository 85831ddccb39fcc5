import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Caller } from '@probity/core';
import { createProbity, silentLogger } from '@probity/core';
import { createDashboard, toNodeHandler } from '@probity/dashboard';
import { governance } from '@probity/governance';
import express from 'express';
import { accessibilityFaults, browserMissing, openWindow } from './browser.ts';
import { LEAK } from './support.ts';

const CALLERS: Readonly<Record<string, Partial<Caller>>> = {
  ann: { role: 'admin' },
  dan: { permissions: ['scans:create', 'session:read'] },
  eve: { permissions: ['scans:create'] },
};

/** An application with its own login, Probity at /probity and the dashboard at /admin. */
async function startHost(t: TestContext): Promise<string> {
  const probity = createProbity({
    database: 'memory',
    authenticate({ headers }) {
      const name = /\bsession=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';
      const rights = CALLERS[name];
      return rights ? ({ organizationId: 'acme', memberId: name, ...rights } as Caller) : null;
    },
    capabilities: [governance()],
    logger: silentLogger,
  });
  await probity.migrate();
  await probity.start();
  const app = express();
  app.use('/probity', probity.node);
  const dashboard = createDashboard({ apiUrl: '/', paths: { general: '/probity' } });
  app.use('/admin', toNodeHandler(dashboard));
  app.get('/login/:name', (request, response) => {
    response.cookie('session', request.params.name, { httpOnly: true, sameSite: 'lax' });
    response.send('Signed in to the host.');
  });
  app.get('/logout', (_request, response) => {
    response.clearCookie('session').send('Signed out of the host.');
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await probity.stop();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const options = { skip: browserMissing };

test(
  "in a host's application its login opens the pages that the mount serves, and no form for a password",
  options,
  async (t) => {
    const url = await startHost(t);
    const window = await openWindow(t, url);
    const { page } = window;
    await page.goto(`${url}/admin`);
    await page.getByRole('heading', { name: 'Sign in to the application' }).waitFor();
    assert.equal(await page.locator('input').count(), 0, 'a form for a password is shown');
    assert.deepEqual(await accessibilityFaults(page), []);
    const login = await window.context.newPage();
    await login.goto(`${url}/login/ann`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).locator('.side-nav a');
    const seen = (await links.allTextContents()).map((each) => each.trim());
    assert.deepEqual(seen, ['Overview', 'Playground', 'Scans', 'Alerts', 'Policies']);
    await page.locator('.side-foot button').click();
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Profile and sessions' }).count(), 0);
    const reference = page.getByRole('link', { name: 'API reference' });
    assert.equal(await reference.getAttribute('href'), `${url}/probity/docs`);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.goto(`${url}/admin/members`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();

    await page.goto(`${url}/admin/playground`);
    await page.getByLabel('Response').fill(LEAK);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByText('Blocked: nothing may be passed on').waitFor();
    assert.ok((await page.content()).includes(`curl ${url}/probity/governance/scan`));
    const cookie = { headers: { Cookie: 'session=ann' } };
    const scans = await (await fetch(`${url}/probity/governance/scans`, cookie)).json();
    assert.equal((scans as { data: unknown[] }).data.length, 1);
    assert.deepEqual([window.faults, window.foreign], [[], []]);
  },
);

test(
  'a session that ended in the host asks to sign in there, over the page, whose text stays',
  options,
  async (t) => {
    const url = await startHost(t);
    const { page, context } = await openWindow(t, url);
    await page.goto(`${url}/login/dan`);
    await page.goto(`${url}/admin/playground`);
    await page.getByLabel('Response').fill('The customer is Ann Lee.');
    const host = await context.newPage();
    await host.goto(`${url}/logout`);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('link', { name: 'Open the application' }).waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.waitFor();
    await host.goto(`${url}/login/dan`);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Response').inputValue(), 'The customer is Ann Lee.');
    const links = page.getByRole('navigation', { name: 'Main' }).locator('.side-nav a');
    assert.deepEqual(
      (await links.allTextContents()).map((each) => each.trim()),
      ['Playground'],
    );
    await host.goto(`${url}/login/eve`);
    await host.goto(`${url}/admin`);
    await host.getByText('Your account does not include this.').waitFor();
  },
);
