/** A secret that was returned to a caller, and its name. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** The name of a form and the text to search for. */
type Form = readonly [string, string];

/**
 * The forms in which a secret may appear in a file: plain, in hexadecimal, and in base64 at each of
 * the three positions of a byte in a group, where the bytes before and after are unknown.
 */
export function formsOf(value: string): Form[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const forms: Form[] = [
    ['plain', value],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
  ];
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    // The first and last groups contain bits of the adjacent bytes.
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3));
    const skipped = shift === 0 ? 0 : 4;
    forms.push([`base64 at ${shift}`, whole.toString('base64').slice(skipped)]);
    forms.push([`base64url at ${shift}`, whole.toString('base64url').slice(skipped)]);
  }
  return forms;
}

/** Every secret in the text, with its form. */
export function secretsIn(text: string, secrets: readonly Secret[]): string[] {
  return secrets.flatMap(({ name, value }) =>
    formsOf(value)
      .filter(([, searched]) => text.includes(searched))
      .map(([form]) => `${name} (${form})`),
  );
}
