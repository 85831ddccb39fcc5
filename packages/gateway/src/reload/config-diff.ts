import { describedKeys } from '../config/json-schema.ts';
import type { GatewayConfig } from '../config/read-config.ts';

/** What a reload changes. */
export interface ConfigDiff {
  /** The new configuration, with the old values of keys that need a restart. */
  readonly config: GatewayConfig;
  /** Paths whose values change now. */
  readonly changed: readonly string[];
  /** Paths whose values differ, and stay until a restart. */
  readonly restartRequired: readonly string[];
}

/** Compares two configurations. */
export function diffConfigs(before: GatewayConfig, after: GatewayConfig): ConfigDiff {
  const restartRequired: string[] = [];
  const config = structuredClone(after) as Record<string, unknown>;
  for (const { path, node } of describedKeys()) {
    if (node['x-reload'] !== 'R') continue;
    const names = path.split('.');
    const old = valueAt(before, names);
    if (JSON.stringify(old) === JSON.stringify(valueAt(after, names))) continue;
    restartRequired.push(path);
    setAt(config, names, old);
  }
  const kept = config as GatewayConfig;
  return { config: kept, changed: changedPaths(before, kept, ''), restartRequired };
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], value);
}

function setAt(value: Record<string, unknown>, names: readonly string[], to: unknown): void {
  const holder = valueAt(value, names.slice(0, -1)) as Record<string, unknown>;
  holder[names.at(-1) as string] = to;
}

function changedPaths(before: unknown, after: unknown, path: string): string[] {
  if (!isRecord(before) || !isRecord(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    changedPaths(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
