import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** A file of the built application. */
export interface AppFile {
  readonly mediaType: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** The bytes in an encoding; compressed once, when a browser asks first. */
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

/** An encoding of RFC 9110 that files are sent in. */
export type Encoding = 'br' | 'gzip';

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const folder = fileURLToPath(new URL('../app/', import.meta.url));

/**
 * Reads the built application: its files by their path below the mount.
 * @throws Error when the application has not been built
 */
export function readFiles(): ReadonlyMap<string, AppFile> {
  const files = new Map<string, AppFile>();
  for (const entry of listFiles()) files.set(entry, toFile(entry, readFileSync(folder + entry)));
  if (files.has('index.html')) return files;
  throw new Error(`The dashboard is not built: ${folder} has no index.html. Run npm run build.`);
}

/** A file of these bytes, with the media type that belongs to the name. */
export function toFile(name: string, bytes: Buffer): AppFile {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    mediaType: MEDIA_TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    encoded(encoding) {
      const known = made.get(encoding) ?? COMPRESS[encoding](bytes);
      made.set(encoding, known);
      return known;
    },
  };
}

function listFiles(): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replaceAll('//', '/'),
      )
      .map((path) => path.slice(folder.replaceAll('\\', '/').length));
  } catch {
    return [];
  }
}
