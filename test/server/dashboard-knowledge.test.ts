import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, browserMissing, signIn } from './browser.ts';
import { assertClean, createWorld, EMAIL, PASSWORD } from './dashboard-world.ts';
import { call } from './support.ts';

const options = { skip: browserMissing };
const NUGGETS = '/api/v1/knowledge/nuggets';
const HOSTILE = '<img src=x onerror=alert(1)>';

/** A CSV file of this many statements, of which the given lines have no claim. */
function csvFile(count: number, badLines: readonly number[] = []) {
  const rows = Array.from({ length: count }, (_, index) => {
    const claim = badLines.includes(index + 2) ? '' : `Door ${index} opens at ${index % 24}.`;
    return `${claim},https://acme.example/doors,doors,high`;
  });
  const text = ['claim,source_url,category,confidence', ...rows, ''].join('\n');
  return { name: 'doors.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

test('a statement is added, found by its meaning, changed and deleted', options, async (t) => {
  const { open, url, owner } = await createWorld(t);
  const window = await open('knowledge');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Add statement' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Statement').fill(`Refunds take 14 days. ${HOSTILE}`);
  await dialog.getByLabel('Source').fill('https://acme.example/terms');
  await dialog.getByLabel('Confidence').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await dialog.getByLabel('Confidence').fill('high');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Refunds take 14 days' }).waitFor();
  assert.equal(await page.locator('main img').count(), 0);

  await page.getByLabel('Search').fill('How long does a refund take?');
  await page.getByLabel('Search').press('Enter');
  await page.waitForURL(/q=How/);
  await page.getByRole('columnheader', { name: 'Likeness' }).waitFor();
  await page.getByRole('button', { name: 'Edit statement: Refunds' }).click();
  await dialog.getByLabel('Statement').fill('Refunds take 30 days.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Refunds take 30 days.' }).waitFor();
  await page.getByRole('button', { name: 'Delete statement: Refunds' }).click();
  await dialog.getByRole('button', { name: 'Delete statement' }).click();
  await page.getByText('The statement was deleted').waitFor();
  assert.equal((await call(`${url}${NUGGETS}`, owner.api_key)).body.total, 0);
  assertClean(window);
});

test('an import of 10,000 lines names the 7 refused ones by their lines', options, async (t) => {
  const { open, url, owner } = await createWorld(t);
  const window = await open('knowledge/import');
  const { page } = window;
  await signIn(page, EMAIL, PASSWORD);
  const bad = [3, 14, 159, 2_653, 5_897, 9_323, 10_001];
  await page.getByLabel('File with statements').setInputFiles(csvFile(10_000, bad));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('9,993 new, 0 changed, 0 unchanged, 7 refused').first().waitFor();
  const refused = page.getByRole('table', { name: 'Refused lines' });
  const lines = await refused.getByRole('rowheader').allTextContents();
  assert.deepEqual(lines.map(Number), bad);
  assert.equal((await call(`${url}${NUGGETS}`, owner.api_key)).body.total, 9_993);
  await page.goto(`${url}/dashboard/knowledge`);
  await page.getByText('1 to 50 of 9,993').waitFor();
  assertClean(window);
});

test(
  'an import of all lines or none stores nothing, and names the refused line',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const { page } = await open('knowledge/import');
    await signIn(page, EMAIL, PASSWORD);
    await page.getByLabel('File with statements').setInputFiles(csvFile(5, [4]));
    await page.getByLabel('Import all lines or none').check();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const refused = page.getByRole('table', { name: 'Refused lines' });
    await refused.waitFor();
    assert.deepEqual(await refused.getByRole('rowheader').allTextContents(), ['4']);
    assert.equal((await call(`${url}${NUGGETS}`, owner.api_key)).body.total, 0);
  },
);

const LOOKS = {
  light: { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
  '320 pixels': { viewport: { width: 320, height: 700 }, colorScheme: 'light' },
} as const;

for (const [name, look] of Object.entries(LOOKS)) {
  test(
    `axe-core finds nothing on the filled pages of the knowledge base in ${name}`,
    options,
    async (t) => {
      const { open, url, owner } = await createWorld(t);
      const nugget = { claim: 'x'.repeat(100), source_url: 'https://acme.example/terms' };
      await call(`${url}${NUGGETS}`, owner.api_key, 'POST', nugget);
      const window = await open('', look);
      const { page } = window;
      await signIn(page, EMAIL, PASSWORD);
      const found: Record<string, string[]> = {};
      for (const path of ['knowledge', 'knowledge?q=terms', 'knowledge/import']) {
        await page.goto(`${url}/dashboard/${path}`);
        await page.locator('main .head h1').waitFor();
        await page.waitForLoadState('networkidle');
        if (path === 'knowledge/import') {
          await page.getByLabel('File with statements').setInputFiles(csvFile(3, [3]));
          await page.getByRole('button', { name: 'Import', exact: true }).click();
          await page.getByRole('table', { name: 'Refused lines' }).waitFor();
        }
        found[path] = await accessibilityFaults(page);
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        const wide = Number(await page.evaluate(overflow));
        if (wide > 0) found[path]?.push(`${wide} px wider than the window`);
        if (process.env.WRITE_PICTURES) {
          const picture = `${process.env.WRITE_PICTURES}/${name}-${path.replace(/\W/g, '-')}.png`;
          await page.screenshot({ path: picture, fullPage: true });
        }
      }
      const faults = Object.entries(found).filter(([, list]) => list.length > 0);
      assert.deepEqual(faults, []);
      assertClean(window);
    },
  );
}
