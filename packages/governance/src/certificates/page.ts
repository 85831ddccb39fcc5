import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { publicCertificateSchema } from './schemas.ts';

type PublicCertificate = z.infer<typeof publicCertificateSchema>;

/** Compares what is pasted with the hash of the page; nothing is sent. */
export const PAGE_SCRIPT = `'use strict';
const form = document.querySelector('form');
const output = document.querySelector('output');
const hashOf = async (text) => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (!globalThis.crypto?.subtle) {
    output.textContent = 'This browser compares texts on pages with https only.';
    return;
  }
  const text = form.elements.content.value;
  // A form field has no carriage returns, which the content may have had.
  const hashes = await Promise.all([hashOf(text), hashOf(text.replaceAll('\\n', '\\r\\n'))]);
  const isSame = hashes.includes(form.dataset.hash);
  output.className = isSame ? 'same' : 'other';
  output.textContent = isSame
    ? 'This is the text of the certificate, character by character.'
    : 'This is not the text of the certificate; one other character is enough.';
});
`;

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}' +
  'dt{font-weight:600}dd{margin:0 0 .75rem;overflow-wrap:anywhere}' +
  '.state{font-size:1.25rem;padding:.75rem 1rem;border:2px solid;border-radius:.5rem}' +
  '.valid,.same{color:#14532d}.expired{color:#713f12}.revoked,.other{color:#7f1d1d}' +
  'label,textarea,button,output{display:block;box-sizing:border-box;margin:.5rem 0}textarea{width:100%}' +
  '@media(prefers-color-scheme:dark){body{background:#111;color:#eee}.valid,.same{color:#86efac}' +
  '.expired{color:#fde68a}.revoked,.other{color:#fca5a5}}';

/** Nothing is loaded from elsewhere, and the page is asked for anew each time, so that a revocation is seen. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const MEANINGS: Readonly<Record<PublicCertificate['state'], string>> = {
  valid:
    'Valid: when it was issued, the knowledge base of the organization supported every claim of the text.',
  expired: 'Expired: the certificate no longer stands for the text.',
  revoked: 'Revoked: the organization has withdrawn the certificate; do not rely on it.',
};

/** The page of a certificate as HTML; its state needs no script. */
export function toPage(certificate: PublicCertificate): string {
  const { id, state, organizationId, contentHash, issuedAt, expiresAt, revokedAt } = certificate;
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['Certificate', id],
    ['Organization', organizationId],
    ['Issued', issuedAt],
    ['Expires', expiresAt],
    ...(revokedAt === null ? [] : [['Revoked', revokedAt] as const]),
    ['SHA-256 of the text', contentHash],
    ['Signing key', certificate.keyId],
  ];
  const rows = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  return pageOf(
    `Certificate: ${state}`,
    `<p class="state ${state}">${MEANINGS[state]}</p>
<dl>
${rows.join('\n')}
</dl>
<h2>Is this the text?</h2>
<form hidden data-hash="${contentHash}">
<label for="content">Paste the text; it stays in this browser.</label>
<textarea id="content" name="content" rows="8" required></textarea>
<button>Compare</button>
<output></output>
</form>
<noscript><p>To compare a text, compute the SHA-256 of its UTF-8 and compare it with the one above.</p></noscript>`,
    '<script src="../certificate-page.js" defer></script>\n',
  );
}

/** The page of a certificate that does not exist. */
export const ABSENT_PAGE: string = pageOf(
  'Certificate: unknown',
  '<p class="state revoked">Unknown: this server has no certificate with this address. Do not rely on it.</p>',
);

function pageOf(title: string, main: string, script = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
${script}</head>
<body>
<h1>Certificate</h1>
${main}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
