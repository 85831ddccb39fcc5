// Creates a key file, and is killed at a moment: node killed-key.js PATH begun|written|linked
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [path = '', moment] = process.argv.slice(2);
const { linkSync, writeFileSync } = fs;
const kill = () => process.kill(process.pid, 'SIGKILL');

Object.assign(fs, {
  writeFileSync(draft: string, text: string, options: object) {
    writeFileSync(draft, moment === 'begun' ? text.slice(0, 10) : text, options);
    if (moment === 'begun') kill();
  },
  linkSync(draft: string, target: string) {
    if (moment === 'written') kill();
    linkSync(draft, target);
    kill();
  },
});
syncBuiltinESMExports();

const { createKeyFile } = await import('../../src/sealing/key-file.ts');
createKeyFile(path).create();
