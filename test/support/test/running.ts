import { readFileSync } from 'node:fs';

/** Whether a process runs; false for one that has ended but is not reaped yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Without a reaper, as in many containers, an orphan stays listed after its end. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
