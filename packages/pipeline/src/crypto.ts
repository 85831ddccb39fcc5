/**
 * Node's cryptography, loaded at the first token: few programs that scan ever make one.
 */
export function loadCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
