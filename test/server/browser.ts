import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { PATIENCE_MS } from '@probity/test-support';
import type { BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = PROGRAMS.find((path) => existsSync(path));

/** Why tests of pages are skipped, or false. In CI a missing browser fails them. */
export const browserMissing =
  program === undefined && !process.env.CI ? 'Chromium is missing: install chromium' : false;

/** A window with what went wrong in it. */
export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and reports of the content security policy. */
  readonly faults: readonly string[];
  /** Requests to another origin. */
  readonly foreign: readonly string[];
}

/** Opens a window of a new person: no cookies, and closed after the test. */
export async function openWindow(
  t: TestContext,
  origin: string,
  options: Parameters<import('playwright-core').Browser['newContext']>[0] = {},
): Promise<Window> {
  const executablePath = program ?? PROGRAMS[0] ?? '';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  return { page, context, faults, foreign };
}

/** Signs in through the form; the page of the address is shown then. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('main .head h1').waitFor();
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe-core finds on the page by WCAG 2.2 A and AA: rule and element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // The policy of the page lets no foreign script in; the protocol of the browser does.
  const session = await page.context().newCDPSession(page);
  const { readFileSync } = await import('node:fs');
  await session.send('Runtime.evaluate', { expression: readFileSync(AXE, 'utf8') });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ runOnly: ${JSON.stringify(tags)} }).then((found) => JSON.stringify(
      found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}
