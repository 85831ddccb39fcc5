import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE_NOW_CLIENT, startServiceNowPeer } from '@probity/test-support';
import { accessibilityFaults, browserMissing, signIn } from './browser.ts';
import { assertClean, createWorld, EMAIL, PASSWORD } from './dashboard-world.ts';
import { call } from './support.ts';

const options = { skip: browserMissing };

test(
  'a SCIM token is replaced with an overlap and shown once, and ends when SCIM is turned off',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const window = await open('scim');
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    const dialog = page.getByRole('dialog');
    const takeToken = async () => {
      await dialog.getByRole('button', { name: 'Create token' }).click();
      const token = await page.getByRole('region', { name: 'SCIM token' }).textContent();
      await dialog.getByRole('button', { name: 'Close' }).click();
      return token ?? '';
    };
    const statusWith = async (token: string) => (await call(`${url}/scim/v2/Users`, token)).status;

    const first = owner.scim_token;
    assert.equal(await statusWith(first), 200);
    await page.getByRole('button', { name: 'Replace token…' }).click();
    await dialog.getByLabel('Expires in days').fill('0');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Expires in days').fill('30');
    await dialog.getByLabel('The former token ends').selectOption('in an hour');
    const second = await takeToken();
    assert.deepEqual([await statusWith(first), await statusWith(second)], [200, 200]);
    assert.ok(!(await page.content()).includes(second), 'the token is still on the page');
    await page.reload();
    await page.getByText('/Users', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('SCIM is off').waitFor();
    assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 401]);
    await page.getByRole('button', { name: 'Turn on' }).click();
    assert.equal(await statusWith(await takeToken()), 200);
    assertClean(window);
  },
);

test('ServiceNow is connected, tested and disconnected on the page', options, async (t) => {
  const serviceNow = await startServiceNowPeer(t);
  const { open } = await createWorld(t, {
    PROBITY_INTEGRATIONS_EGRESS_ALLOW: '127.0.0.1/32',
    PROBITY_INTEGRATIONS_CA_FILE: serviceNow.receiver.certificateFile(),
  });
  const window = await open('integrations');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Connect' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address of the instance').fill('http://acme.example');
  await dialog.getByLabel('Client id').fill(SERVICE_NOW_CLIENT.client_id);
  await dialog.getByLabel('Client secret').fill(SERVICE_NOW_CLIENT.client_secret);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await dialog.getByLabel('Address of the instance').fill(serviceNow.url);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await page.getByText(serviceNow.url).first().waitFor();
  assert.ok(!(await page.content()).includes(SERVICE_NOW_CLIENT.client_secret));
  await page.getByRole('button', { name: 'Test ServiceNow' }).click();
  await dialog.getByText('Read incidents: passed').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Disconnect ServiceNow' }).click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No system is connected.').waitFor();
  assertClean(window);
});

test(
  'the name changes everywhere, an allowlist without the own address asks first, an invoice opens',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const window = await open('organization');
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    await page.getByLabel('Name').fill('Acme <b>Europe</b>');
    await page.getByLabel('Time zone').fill('Europe/Nowhere');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.side').getByText('Acme <b>Europe</b>').waitFor();

    await page.getByLabel('Addresses and networks').fill('203.0.113.7\n2001:db8::/32');
    await page.getByRole('button', { name: 'Save allowlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Lock yourself out?' });
    await dialog.getByText('does not contain your own address').waitFor();
    const path = `${url}/v1/organizations/${owner.organization_id}`;
    const before = await call(path, owner.api_key);
    assert.deepEqual(before.body.settings.ip_allowlist, [], 'saved before the confirmation');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Addresses and networks').fill('127.0.0.0/8\n::1');
    await page.getByRole('button', { name: 'Save allowlist' }).click();
    await page.getByText('The allowlist was saved').waitFor();
    const { settings, timezone } = (await call(path, owner.api_key)).body;
    assert.deepEqual(
      [settings.ip_allowlist, timezone],
      [['127.0.0.0/8', '::1/128'], 'Europe/Berlin'],
    );

    await page.goto(`${url}/dashboard/billing`);
    await page.getByLabel('New plan').selectOption('Professional');
    await page.getByRole('button', { name: 'Change plan' }).click();
    const asked = page.getByRole('dialog', { name: 'Change the plan to Professional?' });
    await asked.getByRole('button', { name: 'Change plan' }).click();
    await asked.waitFor({ state: 'detached' });
    const link = page.getByRole('link', { name: '(PDF)' }).first();
    const pdf = await fetch((await link.getAttribute('href')) ?? '');
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    assertClean(window);
  },
);

for (const [name, width] of [
  ['in a wide window', 1_280],
  ['at 320 pixels', 320],
] as const) {
  test(`axe-core finds nothing on the settings pages ${name}`, options, async (t) => {
    const { open, url, owner } = await createWorld(t);
    await call(`${url}/scim/v2/Users`, owner.scim_token);
    const window = await open('scim', { viewport: { width, height: 800 } });
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    const found: Record<string, string[]> = {};
    for (const path of ['scim', 'integrations', 'organization', 'billing']) {
      await page.goto(`${url}/dashboard/${path}`);
      await page.locator('main .head h1').waitFor();
      await page.waitForLoadState('networkidle');
      const faults = await accessibilityFaults(page);
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (wide > 0) faults.push(`${wide} px wider than the window`);
      if (faults.length > 0) found[path] = faults;
      const folder = process.env.PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/${path}-${width}.png`, fullPage: true });
    }
    assert.deepEqual(found, {});
    assertClean(window);
  });
}
