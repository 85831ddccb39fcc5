import { createHash } from 'node:crypto';
import type { Endpoint, EndpointGroup } from '@probity/core/koa';
import { endpoint, generalErrors } from '@probity/core/koa';
import { z } from 'zod';

/** A form that a link of a mail or of `bootstrap` leads to. */
interface LinkPage {
  readonly path: '/password/reset' | '/invitations/accept';
  readonly operationId: string;
  readonly title: string;
  /** What the form is sent to, relative to the page, as a proxy may serve it below a path. */
  readonly target: string;
  readonly done: string;
  readonly hasName: boolean;
}

const PAGES: readonly LinkPage[] = [
  {
    path: '/password/reset',
    operationId: 'getPasswordResetPage',
    title: 'Choose your password',
    target: '../v1/auth/password/reset',
    done: 'The password is set. Sign in with your e-mail address and this password.',
    hasName: false,
  },
  {
    path: '/invitations/accept',
    operationId: 'getInvitationPage',
    title: 'Accept the invitation',
    target: '../v1/invitations/accept',
    done: 'You are a member now, and can sign in with this password.',
    hasName: true,
  },
];

/** Sends the form as JSON, with the token of the address; nothing else is loaded or contacted. */
const SCRIPT = `'use strict';
const form = document.querySelector('form');
const output = document.querySelector('output');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { repeated, ...fields } = Object.fromEntries(new FormData(form));
  if (fields.password !== repeated) {
    output.textContent = 'The two passwords differ.';
    return;
  }
  if (fields.name === '') delete fields.name;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  output.textContent = 'Sending …';
  try {
    const response = await fetch(form.dataset.target, {
      method: 'POST',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, ...fields }),
    });
    if (response.ok) {
      // The token was used; it need not stay in the history of the browser.
      history.replaceState(null, '', location.pathname);
      form.hidden = true;
      output.textContent = form.dataset.done;
      document.querySelector('#next').hidden = false;
    } else {
      const { message } = await response.json();
      output.textContent = message;
    }
  } catch {
    output.textContent = 'The server cannot be reached; try again.';
  }
});
`;

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:24rem;margin:3rem auto;padding:0 1rem}' +
  'label,input,button,output{display:block;width:100%;box-sizing:border-box;margin:.5rem 0}';

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const shared = { method: 'GET', tag: 'Status', permission: 'public', rateLimit: 'none' } as const;

/**
 * Pages for the links in mails and of `bootstrap`: forms for a password and for an invitation. The
 * token stays in the address and is sent in a body; the page does not contain it.
 */
export function linkPages(): EndpointGroup {
  const endpoints = [...PAGES.map(pageEndpoint), scriptEndpoint()];
  return { prefix: '', errorFormat: generalErrors, endpoints };
}

function pageEndpoint(page: LinkPage): Endpoint {
  const bytes = Buffer.from(toHtml(page));
  return endpoint({
    ...shared,
    path: page.path,
    operationId: page.operationId,
    summary: page.title,
    description: 'A form for people, which the link of a mail leads to.',
    query: z.strictObject({ token: z.string().max(100).optional() }),
    responses: { 200: { description: 'The form', mediaType: 'text/html' } },
    handler: async ({ reply }) =>
      reply.bytes('text/html; charset=utf-8', bytes, { headers: HEADERS }),
  });
}

function scriptEndpoint(): Endpoint {
  const bytes = Buffer.from(SCRIPT);
  return endpoint({
    ...shared,
    path: '/link-pages.js',
    operationId: 'getLinkPagesScript',
    summary: 'Get the script of the forms',
    description: 'Sends the forms for passwords and invitations.',
    responses: { 200: { description: 'The script', mediaType: 'text/javascript' } },
    handler: async ({ reply }) => reply.bytes('text/javascript; charset=utf-8', bytes),
  });
}

function toHtml({ title, target, done, hasName }: LinkPage): string {
  const name = '<label>Name <input name="name" maxlength="100" autocomplete="name"></label>';
  const password = 'type="password" required minlength="8" autocomplete="new-password"';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<script src="../link-pages.js" defer></script>
</head>
<body>
<h1>${title}</h1>
<p>For your account on this Probity server: at least 8 characters, and not a common password. The link works once.</p>
<form data-target="${target}" data-done="${done}">
${hasName ? `${name}\n` : ''}<label>Password <input name="password" ${password}></label>
<label>Password again <input name="repeated" ${password}></label>
<button>${title}</button>
</form>
<output></output>
<p id="next" hidden><a href="../dashboard/">Open the dashboard</a></p>
<noscript>This form needs JavaScript.</noscript>
</body>
</html>
`;
}
