import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import type { Page } from 'playwright-core';
import { accessibilityFaults, browserMissing, signIn } from './browser.ts';
import { assertClean, createWorld, EMAIL, PASSWORD } from './dashboard-world.ts';
import { call } from './support.ts';

const options = { skip: browserMissing };
const SYSTEMS = '/api/v1/compliance/ai-systems';

/** An output file of an evaluation with one passing and one failing red-team test. */
function outputFile(over: object = {}) {
  const resultOf = (success: boolean) => ({
    provider: { id: 'local:desk', label: '' },
    ...{ success, score: success ? 1 : 0, failureReason: success ? 0 : 1 },
    gradingResult: {
      ...{ pass: success, score: success ? 1 : 0, reason: 'It tells <img src=x onerror=alert(1)>' },
      componentResults: [{ pass: success, assertion: { type: 'promptfoo:redteam:pii' } }],
    },
  });
  const results = [resultOf(true), resultOf(false)];
  const summary = { version: 3, timestamp: '2026-05-06T07:08:09.123Z', results, ...over };
  return { name: 'results.json', mimeType: 'application/json', buffer: bytesOf(summary) };
}

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify({ results: value }));

async function importFile(page: Page, file: ReturnType<typeof outputFile>, system: string) {
  await page.getByLabel('File with results').setInputFiles(file);
  await page.getByLabel('AI system').selectOption({ label: system });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}

test(
  'an imported evaluation fills the coverage, with supporting and adverse records apart',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const window = await open('ai-systems');
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    await page.getByRole('button', { name: 'Add AI system' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Support assistant');
    await dialog.getByLabel('Risk class').selectOption({ label: 'High risk' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Support assistant' }).waitFor();

    await page.goto(`${url}/dashboard/evidence/import`);
    await importFile(page, outputFile(), 'Support assistant');
    await page.getByText('2 results were read').waitFor();
    await page.getByText('2 records are new').waitFor();
    await page.getByText('never stored').waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await importFile(page, outputFile(), 'Support assistant');
    await page.getByText('2 records were there already').waitFor();

    const coverage = await call(`${url}/api/v1/compliance/coverage`, owner.api_key);
    const [system] = coverage.body.data;
    interface Covered {
      readonly applicability: string;
      readonly supportingCount: number;
      readonly adverseCount: number;
      readonly evidenceCount: number;
    }
    const obligations = system.obligations as readonly Covered[];
    await page.goto(`${url}/dashboard/coverage?aiSystemId=${system.aiSystem.id}`);
    await page.locator('.matrix').waitFor();
    const shown = await page.locator('.matrix a.cell').allTextContents();
    const expected = obligations
      .filter(({ evidenceCount }) => evidenceCount > 0)
      .map(({ supportingCount: for_, adverseCount: against }) =>
        against > 0 ? `${for_}supporting${against}adverse` : `${for_}supporting`,
      );
    assert.ok(expected.length > 0);
    assert.deepEqual(shown, expected);

    await page.getByLabel('Show').selectOption({ label: 'Only gaps' });
    await page.waitForURL(/gaps=1/);
    const gaps = obligations.filter(
      ({ applicability, supportingCount }) => applicability === 'applies' && supportingCount === 0,
    );
    assert.ok(gaps.length > 0 && gaps.length < obligations.length);
    await page.waitForFunction(
      `document.querySelectorAll('.matrix tbody th[scope=row]').length === ${gaps.length}`,
    );
    assertClean(window);
  },
);

test(
  'a record shows its place in the chain, which is verified, and texts of the file stay texts',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    const sent = JSON.parse(outputFile().buffer.toString('utf8')) as unknown;
    const path = `${url}/api/v1/compliance/evidence/import/evaltool`;
    const { body } = await call(path, owner.api_key, 'POST', sent);
    assert.equal(body.evidenceCreated, 2);
    const window = await open(`evidence/${body.evidenceIds[1]}`);
    const { page } = window;
    await signIn(page, EMAIL, PASSWORD);
    await page.getByText('Place in the chain').waitFor();
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText('The chain is intact: 2 records').waitFor();
    assert.equal(await page.locator('main img').count(), 0);

    await page.goto(`${url}/dashboard/evidence?q=desk`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'JSON Lines' }).click();
    const download = await saving;
    assert.equal(download.suggestedFilename(), 'evidence.jsonl');
    const file = join(temporaryFolder(t).path, 'evidence.jsonl');
    await download.saveAs(file);
    assert.ok(readFileSync(file, 'utf8').trim().split('\n').length >= 2);

    await page.getByRole('button', { name: 'Export' }).click();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: "Auditor's report" }).click();
    const report = await opening;
    await report.getByRole('heading', { level: 1 }).waitFor();
    assert.match(report.url(), /\/api\/v1\/compliance\/report$/);
    assertClean(window);
  },
);

test(
  'a file without JSON is refused on the page, and the chosen AI system stays',
  options,
  async (t) => {
    const { open, url, owner } = await createWorld(t);
    await call(`${url}${SYSTEMS}`, owner.api_key, 'POST', { name: 'Support assistant' });
    const { page } = await open('evidence/import');
    await signIn(page, EMAIL, PASSWORD);
    const file = { ...outputFile(), buffer: Buffer.from('id,passed\n1,true\n') };
    await importFile(page, file, 'Support assistant');
    await page.getByRole('alert').getByText('holds no JSON').waitFor();
    assert.notEqual(await page.getByLabel('AI system').inputValue(), '');
    await importFile(page, outputFile({ results: [] }), 'Support assistant');
    await page.getByRole('alert').getByText('results').first().waitFor();
  },
);

const LOOKS = {
  light: { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
  '320 pixels': { viewport: { width: 320, height: 700 }, colorScheme: 'light' },
} as const;

for (const [name, look] of Object.entries(LOOKS)) {
  test(
    `axe-core finds nothing on the filled pages about evidence in ${name}`,
    options,
    async (t) => {
      const { open, url, owner } = await createWorld(t);
      const system = { name: `Support${'x'.repeat(90)}`, riskClass: 'high', owner: 'Ann' };
      const made = await call(`${url}${SYSTEMS}`, owner.api_key, 'POST', system);
      await call(`${url}${SYSTEMS}`, owner.api_key, 'POST', { name: 'Code helper' });
      const evaltoolOutput = JSON.parse(outputFile().buffer.toString('utf8')) as unknown;
      const path = `${url}/api/v1/compliance/evidence/import/evaltool`;
      const { body } = await call(path, owner.api_key, 'POST', {
        evaltoolOutput,
        aiSystemId: made.body.data.id,
      });
      const window = await open('', look);
      const { page } = window;
      await signIn(page, EMAIL, PASSWORD);
      const paths = ['coverage', 'coverage?gaps=1', 'evidence', 'evidence/import', 'ai-systems'];
      const found: Record<string, string[]> = {};
      for (const each of [...paths, `evidence/${body.evidenceIds[1]}`]) {
        await page.goto(`${url}/dashboard/${each}`);
        await page.locator('main .head h1').waitFor();
        await page.waitForLoadState('networkidle');
        found[each] = await accessibilityFaults(page);
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        const wide = Number(await page.evaluate(overflow));
        if (wide > 0) found[each]?.push(`${wide} px wider than the window`);
        if (process.env.WRITE_PICTURES) {
          const picture = `${process.env.WRITE_PICTURES}/${name}-${each.replace(/\W/g, '-')}.png`;
          await page.screenshot({ path: picture, fullPage: true });
        }
      }
      const faults = Object.entries(found).filter(([, list]) => list.length > 0);
      assert.deepEqual(faults, []);
      assertClean(window);
    },
  );
}
