import type { KeyPath } from './issues.ts';
import type { ConfigurationValues } from './schema.ts';
import type { Environment } from './substitution.ts';
import type { YamlTree } from './yaml-tree.ts';

/** Inputs and reports of a check of keys against each other. */
export interface Checks {
  readonly values: ConfigurationValues;
  readonly tree: YamlTree;
  readonly env: Environment;
  /** The names of the API keys; undefined where they are not known. */
  readonly keyNames: ReadonlySet<string> | undefined;
  error(path: KeyPath, message: string): void;
  warn(path: KeyPath, message: string): void;
}
