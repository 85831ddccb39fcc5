/**
 * Reads the base URL of a service that the operator chooses; returns it without a trailing slash.
 * @throws Error that says what the text should be
 */
export function parseBaseUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '';
  if (url?.protocol !== 'https:' || !isPlain || url.password !== '') {
    throw new Error(`must be an https URL without user, query and fragment, not "${String(text)}"`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
