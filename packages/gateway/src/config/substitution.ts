/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value with variables in place. */
export interface Substituted {
  readonly value: string;
  /** The variables that it has. */
  readonly names: readonly string[];
  /** Whether it consists of one variable alone. */
  readonly isWhole: boolean;
}

const VARIABLE = /\$\{([^}]*)\}?/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces `${NAME}` by environment variables, once: what a variable holds is not looked at again.
 *
 * @returns the value, or the fault; neither has a value of a variable in its fault
 */
export function substitute(text: string, env: Environment): Substituted | { fault: string } {
  if (!text.includes('${')) return { value: text, names: [], isWhole: false };
  const names: string[] = [];
  let fault: string | undefined;
  const value = text.replace(VARIABLE, (written: string, name: string) => {
    if (!NAME.test(name) || !written.endsWith('}')) {
      fault ??= `expected a variable as $\{NAME}; got ${JSON.stringify(written.slice(0, 40))}`;
      return '';
    }
    names.push(name);
    const held = env[name];
    if (held === undefined) fault ??= `the environment variable ${name} is not set`;
    return held ?? '';
  });
  if (fault !== undefined) return { fault };
  return { value, names, isWhole: text === `$\{${names[0]}}` };
}

const WHOLE_NUMBER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** What a variable that is the whole value stands for, where the key takes another type than text. */
export function toKeyType(value: string, type: unknown): unknown {
  const text = value.trim();
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'integer' && WHOLE_NUMBER.test(text)) return Number(text);
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  return value;
}
