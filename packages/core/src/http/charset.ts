/** Whether a charset is a label of UTF-8 (WHATWG Encoding standard), such as `utf8` of older clients. */
export function isUtf8Label(label: string): boolean {
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    return false;
  }
}
