/** The longest response head that is read, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** A status line and header lines up to the empty line; old servers write a space before the colon, and fold lines. */
const HEAD =
  /^HTTP\/1\.[01] (\d{3})(?: (?:\t|[^\p{Cc}])*)?\r?\n(?:(?:[!#$%&'*+.^_`|~\w-]+[ \t]*:|[ \t])(?:\t|[^\p{Cc}])*\r?\n)*\r?\n/u;

/**
 * The status of a response of which the HTTP parser refused the head, such as one with two framings: interim responses are
 * skipped. Null where the head is not complete.
 */
export function statusOfHead(bytes: Buffer): number | null {
  let rest = bytes.subarray(0, MAX_HEAD_BYTES).toString('latin1');
  for (let head = HEAD.exec(rest); head; head = HEAD.exec(rest)) {
    const status = Number(head[1]);
    if (status >= 200) return status;
    if (status === 101) return null;
    rest = rest.slice(head[0].length);
  }
  return null;
}
