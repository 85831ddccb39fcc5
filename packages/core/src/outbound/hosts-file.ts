import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** Addresses by name, lower case. */
type Hosts = ReadonlyMap<string, readonly string[]>;

const SYSTEM_HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts';

const read = new Map<string, { readonly changedMs: number; readonly hosts: Hosts }>();

/** Reads a hosts file (hosts(5)), again when it has changed; empty when it cannot be read. */
export async function readHostsFile(path = SYSTEM_HOSTS_FILE): Promise<Hosts> {
  try {
    const { mtimeMs: changedMs } = await stat(path);
    const known = read.get(path);
    if (known?.changedMs === changedMs) return known.hosts;
    const hosts = parseHosts(await readFile(path, 'utf8'));
    read.set(path, { changedMs, hosts });
    return hosts;
  } catch {
    return new Map();
  }
}

/** Parses lines of the form `address name [alias …] [# comment]`; other lines are ignored. */
function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}
