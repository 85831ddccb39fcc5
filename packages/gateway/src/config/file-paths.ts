import { resolve } from 'node:path';
import type { ConfigurationValues } from './schema.ts';

/**
 * The values with the paths of the log, of back ends and of certificates as absolute ones: like those of terms and protected texts
 * they begin at the folder of the configuration, wherever the program is started.
 */
export function withFilePaths(values: ConfigurationValues, folder: string): ConfigurationValues {
  const { logging, security, observability, scanning } = values;
  return {
    ...values,
    logging: from(folder, logging, ['file']),
    scanning: from(folder, scanning, ['backends_file']),
    security: from(folder, security, ['client_cert_path', 'client_key_path', 'ca_cert_path']),
    observability: from(folder, observability, ['ca_cert_path']),
  };
}

function from<Section extends object, Name extends keyof Section & string>(
  folder: string,
  section: Section,
  names: readonly Name[],
): Section {
  const paths = names.flatMap((name) => {
    const path = section[name];
    return typeof path === 'string' ? [[name, resolve(folder, path)]] : [];
  });
  return { ...section, ...Object.fromEntries(paths) };
}
