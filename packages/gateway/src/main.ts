import { parseArgs } from 'node:util';
import { keysFileOf } from './api-keys/keys-location.ts';
import type { ProgramContext } from './program/context.ts';
import { UsageError } from './program/context.ts';

export { processContext } from './program/context.ts';

const USAGE = `Usage:
  probity-gateway --config FILE [--enable-reload]
  probity-gateway init [--config FILE]
  probity-gateway check --config FILE
  probity-gateway --validate-config FILE
  probity-gateway key create [--name NAME] [--role member|admin] [--users A,B]
                             [--domains A,B] [--file FILE | --config FILE]
  probity-gateway key list [--file FILE | --config FILE]
  probity-gateway key revoke NAME [--file FILE | --config FILE]
  probity-gateway audit verify --config FILE

  --config FILE           serve with this configuration
  --enable-reload         serve POST /reload-config, for keys with the role admin
  --validate-config FILE  tell all errors of a configuration; exit code 0 valid, 1 invalid
  init                    write an annotated first configuration (default gateway.yaml)
  check                   validate a configuration, and call each of its providers once
  key create              add an API key to the keys file, and print it once
  key list                names, roles and times of the keys of a file
  key revoke NAME         remove a key from its file; it holds no longer at once
  audit verify            walk the hash chain of the acts; exit code 0 intact, 1 not
  --file FILE             the keys file; default: PROBITY_GATEWAY_API_KEYS_FILE,
                          else gateway-keys beside the configuration
  --version, --help
`;

const HELP = 'probity-gateway --help lists commands and options.';

function unknownCommand(positionals: readonly string[]): UsageError {
  return new UsageError(`unknown command ${positionals.join(' ')}. ${HELP}`);
}

/**
 * Runs `probity-gateway`. Modules are loaded by the command that needs them: a check of a file loads
 * neither servers nor stages.
 *
 * @param args the command line without program and script
 * @returns the exit code: 0, 1 for a failure or an invalid file, 2 for a wrong command line
 */
export async function main(args: readonly string[], context: ProgramContext): Promise<number> {
  try {
    return await run(args, context);
  } catch (error) {
    if (error instanceof UsageError) {
      context.err(`probity-gateway: ${error.message}\n`);
      return 2;
    }
    context.err(`probity-gateway: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function run(args: readonly string[], context: ProgramContext): Promise<number> {
  const { values, positionals } = parse(args);
  const { config, 'validate-config': toValidate } = values;
  if (values.help) {
    context.out(USAGE);
    return 0;
  }
  if (values.version) {
    const { readVersion } = await import('./program/version.ts');
    context.out(`${readVersion()}\n`);
    return 0;
  }
  const [first] = positionals;
  if (first === 'init' || first === 'check')
    return fileCommand(first, positionals, values, context);
  if (first === 'audit') return auditCommand(positionals, values, context);
  if (positionals.length > 0) return keyCommand(positionals, values, context);
  for (const name of ['name', 'role', 'users', 'domains', 'file'] as const) {
    if (values[name] !== undefined)
      throw new UsageError(`--${name} belongs to key ${name === 'file' ? 'commands' : 'create'}`);
  }
  if (toValidate !== undefined) {
    if (config !== undefined) throw new UsageError('give one of --config and --validate-config');
    const { validateCommand } = await import('./program/validate-command.ts');
    return validateCommand(toValidate, context);
  }
  if (config === undefined) {
    throw new UsageError(
      `--config FILE is needed; probity-gateway init writes a first one. ${HELP}`,
    );
  }
  const { serveCommand } = await import('./program/serve-command.ts');
  return serveCommand({ file: config, enableReload: values['enable-reload'] ?? false }, context);
}

async function fileCommand(
  command: 'init' | 'check',
  positionals: readonly string[],
  { config, ...others }: ReturnType<typeof parse>['values'],
  context: ProgramContext,
): Promise<number> {
  if (positionals.length > 1) throw unknownCommand(positionals);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--${other} does not belong to ${command}`);
  if (command === 'init') {
    const { initCommand } = await import('./program/init-command.ts');
    return initCommand(config, context);
  }
  if (config === undefined) throw new UsageError('check needs --config FILE');
  const { checkCommand } = await import('./program/check-command.ts');
  return checkCommand(config, context);
}

async function auditCommand(
  positionals: readonly string[],
  { config, ...others }: ReturnType<typeof parse>['values'],
  context: ProgramContext,
): Promise<number> {
  if (positionals.join(' ') !== 'audit verify') throw unknownCommand(positionals);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--${other} does not belong to audit verify`);
  if (config === undefined) throw new UsageError('audit verify needs --config FILE');
  const { verifyAudit } = await import('./program/audit-command.ts');
  return verifyAudit(config, context);
}

async function keyCommand(
  positionals: readonly string[],
  values: ReturnType<typeof parse>['values'],
  context: ProgramContext,
): Promise<number> {
  const [group, act, name, ...more] = positionals;
  const command = [group, act].join(' ');
  const isNamed = command === 'key revoke';
  const isKnown = isNamed || command === 'key create' || command === 'key list';
  if (!isKnown || more.length > 0 || (name !== undefined && !isNamed)) {
    throw unknownCommand(positionals);
  }
  const file = values.file ?? keysFileOf(values.config, context.env);
  const { createKey, listKeys, revokeKey } = await import('./api-keys/key-command.ts');
  if (command === 'key create') {
    const { name: keyName, role, users, domains } = values;
    return createKey({ file, name: keyName, role, users, domains }, context);
  }
  for (const option of ['name', 'role', 'users', 'domains'] as const) {
    if (values[option] !== undefined) throw new UsageError(`--${option} belongs to key create`);
  }
  if (!isNamed) return listKeys(file, context);
  if (name === undefined) throw new UsageError('key revoke needs the name of a key');
  return revokeKey(file, name, context);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        'enable-reload': { type: 'boolean' },
        'validate-config': { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        users: { type: 'string' },
        domains: { type: 'string' },
        file: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, '')}. ${HELP}`);
  }
}
