import { scanLeak } from './scan.js';

void scanLeak().then((line) => process.stdout.write(`${line}\n`));
