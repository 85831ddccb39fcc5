import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createChainVerifier } from '../../src/evidence/chain.ts';
import { readNodes } from '../../src/evidence/export-lines.ts';
import { exportLines, toText } from './exports.ts';

/** Whether a file is taken for an intact chain. */
async function isIntact(bytes: Uint8Array): Promise<boolean> {
  const verifier = createChainVerifier();
  async function* chunks() {
    yield bytes;
  }
  try {
    for await (const read of readNodes(chunks(), 'file')) if (!verifier.add(read)) break;
  } catch {
    return false;
  }
  return verifier.finish().valid;
}

/** What a byte is changed to: its neighbors, the other letter case, and what has a meaning in JSON, numbers or times. */
function otherBytes(byte: number): number[] {
  const others = [byte ^ 0x20, byte + 1, byte - 1, ...Buffer.from(' 0"A-\n\\')];
  return [...new Set(others)].filter((other) => other !== byte);
}

it('every byte of an export that is changed is found', async () => {
  const bytes = Buffer.from(toText(exportLines(2)));
  assert.equal(await isIntact(bytes), true);
  const missed: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    for (const other of otherBytes(byte)) {
      bytes[at] = other;
      if (await isIntact(bytes)) missed.push(`${at}: ${bytes.subarray(at - 20, at + 5)}`);
    }
    bytes[at] = byte;
  }
  assert.deepEqual(missed, []);
});
