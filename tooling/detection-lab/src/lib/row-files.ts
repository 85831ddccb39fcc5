import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DataFile } from './data-file.ts';

/** A row file that is made of texts from outside. */
interface RowFile {
  /** `TASK/SPLIT.jsonl`, or a companion, relative to the data folder. */
  readonly path: string;
  /** SHA-256 of the plain file, in hexadecimal. */
  readonly sha256: string;
}

/** A repository on GitHub that rows were taken from. */
interface Source {
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
  /** Files or parts that were taken. */
  readonly taken: string;
  /** The tasks whose row files have something of it. */
  readonly tasks: readonly string[];
}

/** A package from npm that words and their relations are learned from. */
interface WordPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** As npm records it: SHA-512 of the tarball, in Base64. */
  readonly integrity: string;
}

/** What training and evaluation need from outside: `data/sources.json`. */
export interface Manifest {
  readonly files: readonly RowFile[];
  readonly sources: readonly Source[];
  readonly packages: readonly WordPackage[];
}

/**
 * Reads a manifest.
 *
 * @throws DataFileError for a field of another shape
 */
export function readManifest(file: DataFile): Manifest {
  return {
    files: file.entries('files', (entry) => ({
      path: entry.text('path'),
      sha256: entry.text('sha256'),
    })),
    sources: file.entries('sources', (entry) => ({
      repository: entry.text('repository'),
      commit: entry.text('commit'),
      licence: entry.text('licence'),
      taken: entry.text('taken'),
      tasks: entry.list('tasks'),
    })),
    packages: file.entries('packages', (entry) => ({
      name: entry.text('name'),
      version: entry.text('version'),
      licence: entry.text('licence'),
      integrity: entry.text('integrity'),
    })),
  };
}

/** How one file or package was found. */
export interface Check {
  readonly name: string;
  readonly state: 'right' | 'missing' | 'different';
  /** What there is instead, or where to look. */
  readonly detail?: string;
}

/** Holds the row files of a folder, plain or packed (`.gz`), against their checksums. */
export function checkRowFiles({ files }: Manifest, folder: string): Check[] {
  return files.map(({ path, sha256 }): Check => {
    const content = readPlain(folder, path);
    if (content === undefined) return { name: path, state: 'missing' };
    const found = createHash('sha256').update(content).digest('hex');
    if (found === sha256) return { name: path, state: 'right' };
    return { name: path, state: 'different', detail: `SHA-256 ${found}, expected ${sha256}` };
  });
}

/** Where the texts of the files that are not right come from. */
export function sourcesOf({ sources }: Manifest, checks: readonly Check[]): readonly Source[] {
  const tasks = checks
    .filter(({ state }) => state !== 'right')
    .map(({ name }) => name.split('/')[0] as string);
  return sources.filter((source) => source.tasks.some((task) => tasks.includes(task)));
}

/** Holds what npm has installed below a folder against the versions and hashes that were used. */
export function checkPackages({ packages }: Manifest, folder: string): Check[] {
  const installed = readInstalled(join(folder, 'node_modules', '.package-lock.json'));
  return packages.map(({ name, version, integrity }): Check => {
    const found = installed[`node_modules/${name}`];
    if (found === undefined) return { name, state: 'missing' };
    if (found.version === version && found.integrity === integrity) return { name, state: 'right' };
    const detail = `${found.version} ${found.integrity}, expected ${version} ${integrity}`;
    return { name, state: 'different', detail };
  });
}

/** Writes the row files of a folder as plain files into another. */
export function copyPlain({ files }: Manifest, from: string, to: string): void {
  for (const { path } of files) {
    const content = readPlain(from, path);
    if (content === undefined) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), content);
  }
}

function readPlain(folder: string, path: string): Buffer | undefined {
  const plain = join(folder, path);
  if (existsSync(plain)) return readFileSync(plain);
  return existsSync(`${plain}.gz`) ? gunzipSync(readFileSync(`${plain}.gz`)) : undefined;
}

type Installed = Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;

function readInstalled(lockFile: string): Installed {
  if (!existsSync(lockFile)) return {};
  return (JSON.parse(readFileSync(lockFile, 'utf8')) as { readonly packages: Installed }).packages;
}
