/** A secret that was shown to somebody, and what it is. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** How a name for a form is shown beside the text that is searched for. */
type Form = readonly [string, string];

/**
 * The forms in which a secret may lie in a file: as it is, in hexadecimal, and in base64 at each of
 * the three places that a byte may have in a group, where what comes before and after is not known.
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
    // The first and last groups hold bits of what stands beside the secret.
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3));
    const skipped = shift === 0 ? 0 : 4;
    forms.push([`base64 at ${shift}`, whole.toString('base64').slice(skipped)]);
    forms.push([`base64url at ${shift}`, whole.toString('base64url').slice(skipped)]);
  }
  return forms;
}

/** Every secret that the text holds, with its form. */
export function secretsIn(text: string, secrets: readonly Secret[]): string[] {
  return secrets.flatMap(({ name, value }) =>
    formsOf(value)
      .filter(([, searched]) => text.includes(searched))
      .map(([form]) => `${name} (${form})`),
  );
}
