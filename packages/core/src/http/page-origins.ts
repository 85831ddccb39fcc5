/**
 * Parses comma separated origins of pages, such as `https://app.example.com`.
 * @throws Error that names the first one that is none
 */
export function parseOrigins(text: string): readonly string[] {
  const origins = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  for (const origin of origins) {
    if (isPageOrigin(origin)) continue;
    throw new Error(
      `must be origins such as https://app.example.com, without a path, not ${JSON.stringify(origin)}`,
    );
  }
  return origins;
}

/** Whether a text is the origin of a page, such as `https://app.example.com`. */
function isPageOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
