import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHttpsReceiver, startSmtpPeer, temporaryFolder } from '@probity/test-support';
import { sampleCases } from '@probity/test-support/combinations';
import { accessibilityFaults, browserMissing, openWindow, signIn } from './browser.ts';
import { assertClean, createWorld, EMAIL, PASSWORD } from './dashboard-world.ts';
import { bootstrap, call, createWebhook, scanLeak, serveProcess, setPassword } from './support.ts';

/** The picture of the README, written with WRITE_PICTURES=1. */
const PICTURE = fileURLToPath(new URL('../../../docs/images/playground.png', import.meta.url));

const options = { skip: browserMissing };

test(
  'the address of the server leads a browser to the sign-in and on to a blocked scan',
  options,
  async (t) => {
    const { url } = await createWorld(t);
    const window = await openWindow(t, url);
    const { page } = window;
    await page.goto(url);
    await signIn(page, EMAIL, PASSWORD);
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByText('Blocked: nothing may be passed on').waitFor();
    const marked = await page.locator('mark').allTextContents();
    assert.deepEqual(marked, ['kim@example.com2', '4539 1488 0343 64671']);
    if (process.env.WRITE_PICTURES) await page.screenshot({ path: PICTURE });
    await page.getByRole('link', { name: 'Open scan' }).click();
    await page.getByRole('heading', { name: 'Personal data', level: 1 }).waitFor();
    assert.match(page.url(), /\/dashboard\/scans\/scn_\w+$/);
    assert.equal(await page.getByText('kim@example.com').count(), 0, 'a text was stored');
    assertClean(window);
  },
);

test(
  'a wrong password is answered in the form, and the typed address stays',
  options,
  async (t) => {
    const { open } = await createWorld(t);
    const { page } = await open();
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill('another one of Ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('is wrong').waitFor();
    assert.equal(await page.getByLabel('E-mail address').inputValue(), EMAIL);
  },
);

test('an API key is shown once, works, and is refused after it was revoked', options, async (t) => {
  const { open, url } = await createWorld(t);
  const window = await open('api-keys');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Support backend');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? '';
  assert.equal((await call(`${url}/api/v1/whoami`, key)).status, 200);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  assert.ok(!(await page.content()).includes(key), 'the key is still on the page');
  await page.getByRole('button', { name: 'Revoke key Support backend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key is revoked').waitFor();
  assert.equal((await call(`${url}/api/v1/whoami`, key)).status, 401);
  assertClean(window);
});

test('several alerts are resolved together with one resolution', options, async (t) => {
  const { open, url, owner } = await createWorld(t);
  for (let count = 0; count < 3; count += 1) await scanLeak(url, owner.api_key);
  const window = await open('alerts');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Resolve…' }).click();
  await page.getByRole('dialog').getByLabel('Resolution').fill('The prompt was mended.');
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve 3 alerts' }).click();
  await page.getByText('No alert is open.').waitFor();
  const { body } = await call(`${url}/api/v1/alerts?status=resolved`, owner.api_key);
  const resolutions = body.data.map(({ resolution }: { resolution: string }) => resolution);
  assert.deepEqual(resolutions, Array(3).fill('The prompt was mended.'));
  assertClean(window);
});

test(
  'a policy made by the editor decides the next scan, and a wrong threshold is put at its field',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const window = await open('policies/new');
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    await page.getByLabel('Name').fill('Secrets are blocked');
    await page.getByLabel('Stage').selectOption('secrets_scanner');
    await page.getByLabel('From score').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    assert.equal(await page.getByLabel('From score').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('From score').fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/policies\/pol_\w+$/);
    const scan = { response: `The key is ${'AKIA'}${'Q3EGRIYXAMPLEB7D'}.` };
    const { status, body } = await call(
      `${url}/api/v1/governance/scan`,
      owner.api_key,
      'POST',
      scan,
    );
    assert.deepEqual([status, body.governance.policy_id], [403, page.url().split('/').at(-1)]);
    assertClean(window);
  },
);

test(
  'signing out ends every window, and a session that ended elsewhere asks again over the page',
  options,
  async (t) => {
    const { open, url } = await createWorld(t);
    const { page, context } = await open('playground');
    await signIn(page, EMAIL, PASSWORD);
    await page.getByLabel('Response').fill('The customer is Ann Lee.');
    const elsewhere = await call(`${url}/v1/auth/login`, null, 'POST', {
      email: EMAIL,
      password: PASSWORD,
    });
    const token = elsewhere.body.access_token as string;
    const { body } = await call(`${url}/v1/auth/sessions`, token);
    const others = body.sessions.filter(({ is_current: isOwn }: { is_current: boolean }) => !isOwn);
    for (const { id } of others) await call(`${url}/v1/auth/sessions/${id}`, token, 'DELETE');
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Response').inputValue(), 'The customer is Ann Lee.');

    const second = await context.newPage();
    await second.goto(`${url}/dashboard/`);
    await second.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('ann@acme.example').first().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await second.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  },
);

const PAGES = [
  ...['', 'playground', 'scans', 'alerts', 'policies', 'policies/new', 'policies/pol_builtin'],
  ...['knowledge', 'knowledge/import', 'webhooks', 'integrations'],
  ...['coverage', 'evidence', 'evidence/import', 'ai-systems'],
  ...['audit-log', 'members', 'api-keys', 'scim', 'usage', 'billing', 'organization'],
  ...['profile', 'nowhere'],
];

const LOOKS = {
  light: { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' },
  'forced colors': { viewport: { width: 1_280, height: 900 }, forcedColors: 'active' },
  '320 pixels': { viewport: { width: 320, height: 700 }, colorScheme: 'light' },
} as const;

for (const [name, look] of sampleCases(Object.entries(LOOKS), 3)) {
  test(`axe-core finds nothing on any page in ${name}`, options, async (t) => {
    const { open, url, owner } = await createWorld(t);
    await scanLeak(url, owner.api_key);
    const window = await open('', look);
    const { page } = window;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const found: Record<string, string[]> = { 'sign-in': await accessibilityFaults(page) };
    await signIn(page, EMAIL, PASSWORD);
    for (const path of PAGES) {
      await page.goto(`${url}/dashboard/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      found[path] = await accessibilityFaults(page);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      const wide = Number(await page.evaluate(overflow));
      if (wide > 0) found[path]?.push(`${wide} px wider than the window`);
    }
    const faults = Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
    assert.deepEqual(faults, {});
    assertClean(window);
  });
}

test('texts of strangers stay texts on the pages', options, async (t) => {
  const { open, url, owner } = await createWorld(t);
  const hostile = '<img src=x onerror=alert(1)>\u202egnirts';
  const key = owner.api_key;
  const base = `${url}/v1/organizations/${owner.organization_id}`;
  const name = hostile.replace('\u202e', '');
  const made = await call(`${base}/api-keys`, key, 'POST', { name, role: 'viewer' });
  assert.equal(made.status, 201);
  const policy = {
    name,
    description: hostile,
    rules: [{ stage: 'terms_scanner', action: 'flag' }],
  };
  const stored = await call(`${url}/api/v1/governance/policies`, key, 'POST', policy);
  assert.equal(stored.status, 201);
  const window = await open('api-keys');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByText(name).first().waitFor();
  await page.goto(`${url}/dashboard/policies/${stored.body.data.id}`);
  await page.getByRole('heading', { name }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assertClean(window);
});

/** Each page of the side bar with the permission that it needs. */
const NAVIGATION = {
  Overview: 'scans:read',
  Playground: 'scans:create',
  Scans: 'scans:read',
  Alerts: 'alerts:read',
  Policies: 'policies:read',
  'Knowledge base': 'knowledge:read',
  Webhooks: 'webhooks:read',
  Integrations: 'integrations:read',
  Coverage: 'evidence:read',
  Evidence: 'evidence:read',
  'AI systems': 'ai_systems:read',
  'Audit log': 'audit_log:read',
  Members: 'members:read',
  'API keys': 'api_keys:read',
  SCIM: 'scim:read',
  Usage: 'usage:read',
  'Plan and invoices': 'subscription:read',
  Settings: 'organization:read',
} as const;

/** Pages with an act, the permission that it needs, and the button or link that begins it. */
const ACTS = [
  ['policies', 'policies:write', 'Create policy'],
  ['webhooks', 'webhooks:write', 'Add webhook'],
  ['knowledge', 'knowledge:write', 'Add statement'],
  ['coverage', 'evidence:write', 'Import results'],
  ['ai-systems', 'ai_systems:write', 'Add AI system'],
  ['members', 'members:write', 'Invite'],
  ['api-keys', 'api_keys:write', 'Create key'],
  ['scim', 'scim:write', 'Replace token…'],
  ['integrations', 'integrations:write', 'Connect'],
] as const;

test(
  'an invited person of each role sees the pages and acts of its permissions alone',
  options,
  async (t) => {
    const peer = await startSmtpPeer(t);
    const mail = { PROBITY_SMTP_URL: peer.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
    const { url, owner, open } = await createWorld(t, mail);
    const base = `${url}/v1/organizations/${owner.organization_id}`;
    const { body } = await call(`${url}/v1/roles`, owner.api_key);
    for (const role of body.roles as { id: string; permissions: string[] }[]) {
      const email = `${role.id}@acme.example`;
      await call(`${base}/members`, owner.api_key, 'POST', { email, role: role.id });
      const link = /\/invitations\/accept\?token=(pin_\w+)/.exec(await peer.textTo(email));
      const acceptance = { token: link?.[1], password: PASSWORD };
      const joined = await call(`${url}/v1/invitations/accept`, null, 'POST', acceptance);
      assert.equal(joined.status, 200, role.id);

      const window = await open();
      const { page } = window;
      await signIn(page, email, PASSWORD);
      const list = page.getByRole('navigation', { name: 'Main' }).locator('.side-nav a');
      const seen = (await list.allTextContents()).map((each) => each.trim());
      const permitted = Object.entries(NAVIGATION).filter(([, needed]) =>
        role.permissions.includes(needed),
      );
      assert.deepEqual(
        seen,
        permitted.map(([name]) => name),
        role.id,
      );
      for (const [path, needed, act] of ACTS) {
        await page.goto(`${url}/dashboard/${path}`);
        await page.locator('main .head h1').waitFor();
        await page.waitForLoadState('networkidle');
        const count = await page.locator('.head-actions').getByText(act, { exact: true }).count();
        assert.equal(count, role.permissions.includes(needed) ? 1 : 0, `${role.id}: ${act}`);
      }
      assertClean(window);
      await window.context.browser()?.close();
    }
  },
);

test('a webhook page follows a delivery to its end and marks tests', options, async (t) => {
  const receiver = await startHttpsReceiver({ test: t });
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const owner = await bootstrap(location);
  const { url } = await serveProcess(t, location, { receiver });
  await setPassword(url, owner, PASSWORD);
  const { id } = await createWebhook(url, owner.api_key, receiver);
  const window = await openWindow(t, url);
  const { page } = window;
  await page.goto(`${url}/dashboard/webhooks/${id}`);
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('A test event is on its way').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'alert.created' });
  await row.getByText('Delivered').waitFor();
  await row.getByText('Test', { exact: true }).waitFor();
  assertClean(window);
});

test(
  'members have their role in words, and the audit log their names and changes',
  options,
  async (t) => {
    const { url, owner, open } = await createWorld(t);
    const off = { enabled: false };
    const policy = `${url}/api/v1/governance/policies/pol_builtin`;
    assert.equal((await call(policy, owner.api_key, 'PATCH', off)).status, 200);
    const window = await open('members');
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    const select = page.getByLabel(`Role: ${EMAIL}`);
    const box = await select.boundingBox();
    assert.ok((box?.width ?? 0) >= 60, `${box?.width} px show no word`);
    await page.goto(`${url}/dashboard/audit-log`);
    const row = page.getByRole('row').filter({ hasText: 'policy.updated' });
    await row.getByText(EMAIL).waitFor();
    await row.getByText('Change').click();
    await row.getByText('"enabled": false').waitFor();
    await page.goto(`${url}/dashboard/policies/pol_builtin`);
    await page.getByText('the strictest action wins').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete policy' }).count(), 0);
    assertClean(window);
  },
);
