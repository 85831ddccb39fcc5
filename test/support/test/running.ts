import { readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended but was not reaped yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Where there is no reaper, as in many containers, an orphan stays listed after its end. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
