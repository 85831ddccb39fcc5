import { spawn } from 'node:child_process';
import { once } from './once.ts';

/**
 * Keeps a list of process groups and kills them when standard input ends, that is, when the
 * process that opened it has ended for any reason.
 */
const guardScript = `
trap '' HUP INT TERM
groups=' '
while read -r operation group; do
  case $operation in
    add) groups="$groups$group " ;;
    remove) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
`;

/** Kills process groups that would outlive this process. */
export interface OrphanGuard {
  add(processGroup: number): void;
  remove(processGroup: number): void;
}

/** The guard of this process, started at the first call; it does not keep the event loop alive. */
export const orphanGuard: () => OrphanGuard = once(() => {
  const child = spawn('/bin/sh', ['-c', guardScript], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const input = child.stdin;
  child.unref();
  if ('unref' in input && typeof input.unref === 'function') input.unref();
  return {
    add: (processGroup) => void input.write(`add ${processGroup}\n`),
    remove: (processGroup) => void input.write(`remove ${processGroup}\n`),
  };
});
