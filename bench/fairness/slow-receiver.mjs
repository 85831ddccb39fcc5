// The receiver of the greedy organizations, in a process of its own: other organizations' receivers
// are other machines, and its TLS handshakes are not to delay the measured one's.
//
//   node slow-receiver.mjs ANSWER_MS
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpsReceiver } from '../../test/support/dist/src/index.js';

const answerMs = Number(process.argv[2]);
const { url, port, certificateFile } = await startHttpsReceiver({
  handler: () => sleep(answerMs, {}, { ref: false }),
});
process.send({ url, port, certificate: certificateFile() });
process.on('disconnect', () => process.exit(0));
