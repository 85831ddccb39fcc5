/** Numbers by 32-bit key in flat arrays; grows. */
export interface HashTable {
  /** The value of `key`, or -1. */
  get(key: number): number;
  /** Sets the value (0 or more) of `key`. */
  set(key: number, value: number): void;
}

/** An empty table for about `expected` keys; more fit as well. */
export function createHashTable(expected: number): HashTable {
  let bits = Math.max(4, Math.ceil(Math.log2(expected * 2 + 1)));
  let keys = new Int32Array(1 << bits);
  let values = new Int32Array(1 << bits).fill(-1);
  let used = 0;

  function slotOf(key: number): number {
    const mask = keys.length - 1;
    const mixed = Math.imul(key ^ (key >>> 16), 0x45d9f3b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (values[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values];
    bits++;
    keys = new Int32Array(1 << bits);
    values = new Int32Array(1 << bits).fill(-1);
    for (let slot = 0; slot < oldKeys.length; slot++) {
      if (oldValues[slot] === -1) continue;
      const to = slotOf(oldKeys[slot] as number);
      keys[to] = oldKeys[slot] as number;
      values[to] = oldValues[slot] as number;
    }
  }

  return {
    get: (key) => values[slotOf(key)] as number,
    set(key, value) {
      let slot = slotOf(key);
      if (values[slot] === -1) {
        if (++used * 2 > keys.length) {
          grow();
          slot = slotOf(key);
        }
        keys[slot] = key;
      }
      values[slot] = value;
    },
  };
}
