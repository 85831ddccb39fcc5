// What the webhooks are compared with: too heavy for dependencies, fetched once into .cache/webhook-peers.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchPackages } from '../../scripts/support/fetch-packages.mjs';

const SPECS = ['undici@7.30.0', 'bullmq@6.7.0', 'pg-boss@10.4.2'];

/** Fetches the packages; answers their folder. */
export async function fetchPeers() {
  const folder = await fetchPackages('webhook-peers', SPECS);
  if (folder === undefined) throw new Error('npm could not fetch the peers');
  return folder;
}

/** Imports a package of the folder. */
export function importPeer(folder, name) {
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href);
}
