import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of the heap that are still in use after a full garbage collection. */
export function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
