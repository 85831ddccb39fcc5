import type { FoundSecret } from './found-secret.ts';

/** Three parts of base64url, the first two of which begin with `{"`; the bounds keep time linear. */
const JWT =
  /(?<![A-Za-z0-9_.-])(eyJ[A-Za-z0-9_-]{8,2000})\.(eyJ[A-Za-z0-9_-]{4,8000})\.([A-Za-z0-9_-]{0,2000})(?![A-Za-z0-9_-])/g;
const MIN_SIGNATURE = 20;

/** JSON Web Tokens (RFC 7519) whose header is JSON with a member `alg`. */
export function findJsonWebTokens(text: string): FoundSecret[] {
  if (!text.includes('eyJ')) return [];
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(JWT)) {
    const [value, header = '', , signature = ''] = match;
    const algorithm = algorithmOf(header);
    if (algorithm === undefined) continue;
    const isSigned = signature.length >= MIN_SIGNATURE;
    if (!isSigned && algorithm.toLowerCase() !== 'none') continue;
    const start = match.index;
    const reason = 'JSON Web Token: its header names an algorithm';
    const score = isSigned ? 0.95 : 0.7;
    found.push({ type: 'jwt', start, end: start + value.length, score, reason });
  }
  return found;
}

function algorithmOf(header: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof parsed !== 'object' || parsed === null || !('alg' in parsed)) return undefined;
    return typeof parsed.alg === 'string' ? parsed.alg : undefined;
  } catch {
    return undefined;
  }
}
