import type { AppFile, Encoding } from './files.ts';
import { readFiles, toFile } from './files.ts';

/** Options of the dashboard. */
export interface DashboardOptions {
  /**
   * Address below which the API is, relative to the mount of the dashboard or absolute on the same origin; default
   * `../`, the parent of the mount.
   */
  readonly apiUrl?: string | undefined;
  /**
   * Paths of the APIs below `apiUrl`, as the client has them; default the paths of the standalone server. Without
   * `platform` people sign in to the host's application, whose cookies are sent.
   */
  readonly paths?: { readonly general: string; readonly platform?: string | undefined } | undefined;
}

const STANDALONE_PATHS = { general: '/api/v1', platform: '/v1' } as const;

/** A request for a page or file, as every framework has it. */
export interface DashboardRequest {
  readonly method: string;
  /** The path below the mount, as it was sent, with a slash at the start: `/scans/scn_1`. */
  readonly path: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The answer to a {@link DashboardRequest}. */
export interface DashboardAnswer {
  readonly status: 200 | 304 | 404 | 405;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the answer has no body. */
  readonly body: Buffer | null;
}

/** Answers requests for the pages of the dashboard and their files. */
export interface Dashboard {
  readonly answer: (request: DashboardRequest) => Promise<DashboardAnswer>;
}

/** Nothing comes from elsewhere, nothing runs that is not a file of ours, and nobody frames the page. */
const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const;

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' } as const;

/** Vite names these after their content, so that they never change. */
const HASHED = /^assets\//;

/**
 * Creates the dashboard from its built files: every path without a file answers the page, whose `<base>` leads back
 * to the mount. It keeps no state and opens nothing.
 * @throws Error when the files are missing; TypeError when an option is not usable
 */
export function createDashboard({
  apiUrl = '../',
  paths = STANDALONE_PATHS,
}: DashboardOptions = {}): Dashboard {
  const files = readFiles();
  const template = (files.get('index.html') as AppFile).bytes.toString('utf8');
  const toPage = pagesOf(template, checkApiUrl(apiUrl), checkPaths(paths));
  return {
    async answer({ method, path, headers }) {
      if (method !== 'GET' && method !== 'HEAD') {
        return { status: 405, headers: { Allow: 'GET, HEAD' }, body: null };
      }
      const rest = path.replace(/^\/+/, '');
      const file = rest === 'index.html' ? undefined : files.get(rest);
      // The page instead of a missing script would hide the fault.
      if (!file && HASHED.test(rest)) return { status: 404, headers: COMMON_HEADERS, body: null };
      const found = file ?? toPage(rest.split('/').length - 1);
      const cache = HASHED.test(rest) ? 'public, max-age=31536000, immutable' : 'no-cache';
      const own = file ? { 'Cache-Control': cache } : PAGE_HEADERS;
      const answer = await toAnswer(found, headers, own);
      return method === 'HEAD' ? { ...answer, body: null } : answer;
    },
  };
}

/** The page by how many folders below the mount it is shown. */
function pagesOf(template: string, apiUrl: string, paths: string): (depth: number) => AppFile {
  const pages = new Map<number, AppFile>();
  return (depth) => {
    const known = pages.get(depth);
    if (known) return known;
    const base = '../'.repeat(depth) || './';
    const html = template
      .replace('<base href="./">', `<base href="${base}">`)
      .replace('name="probity-api" content=""', `name="probity-api" content="${apiUrl}"`)
      .replace('name="probity-paths" content=""', `name="probity-paths" content="${paths}"`);
    const page = toFile('index.html', Buffer.from(html));
    // Deeper addresses are nobody's pages, and would only fill the memory.
    if (depth <= 8) pages.set(depth, page);
    return page;
  };
}

async function toAnswer(
  file: AppFile,
  headers: DashboardRequest['headers'],
  own: Readonly<Record<string, string>>,
): Promise<DashboardAnswer> {
  const shared = { ...COMMON_HEADERS, ...own, ETag: file.etag };
  const asked = String(headers['if-none-match'] ?? '');
  if (asked.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === file.etag)) {
    return { status: 304, headers: shared, body: null };
  }
  const encoding = encodingOf(String(headers['accept-encoding'] ?? ''));
  const body = encoding ? await file.encoded(encoding) : file.bytes;
  return {
    status: 200,
    headers: {
      ...shared,
      'Content-Type': file.mediaType,
      'Content-Length': String(body.length),
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
    },
    body,
  };
}

function encodingOf(accepted: string): Encoding | null {
  const names = accepted
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';')[0]);
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : null;
}

function checkApiUrl(apiUrl: string): string {
  const isUsable = typeof apiUrl === 'string' && /^[\w./:~-]*\/$/.test(apiUrl);
  if (isUsable) return apiUrl;
  throw new TypeError(
    `apiUrl must be an address that ends with a slash, such as ../ or /probity/, not ${JSON.stringify(apiUrl)}`,
  );
}

/** The paths as the page reads them: the general one, then the path of the platform where the host has it. */
function checkPaths({ general, platform }: NonNullable<DashboardOptions['paths']>): string {
  checkPath('paths.general', general);
  if (platform === undefined) return general;
  checkPath('paths.platform', platform);
  return `${general} ${platform}`;
}

function checkPath(name: string, path: string): void {
  if (typeof path === 'string' && /^(\/[\w.~-]+)+$/.test(path)) return;
  throw new TypeError(
    `${name} must be a path that begins with a slash and does not end with one, such as /probity, not ${JSON.stringify(path)}`,
  );
}
