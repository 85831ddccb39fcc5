// A process that ends while a model computes: node busy-process.js HOW MILLISECONDS
import { createScanPool } from '../../src/index.ts';
import { classifier, compute, pipeline } from './busy-pipeline.ts';

const [how = '', delay] = process.argv.slice(2);
const soon = () => new Promise((resolve) => setTimeout(resolve, Number(delay)));

/** Ends with a model of this process at work. */
async function endWith(end: (stop: AbortController) => unknown): Promise<void> {
  const stop = new AbortController();
  if (how !== 'loading') await classifier.classify(['please'], stop.signal);
  const work = compute(stop.signal).catch(() => {});
  await soon();
  await end(stop);
  await work;
}

/** Ends with a model at work that belongs to a thread of a pool. */
async function endPool(end: (close: () => Promise<void>) => unknown): Promise<void> {
  const module = new URL('./busy-pipeline.js', import.meta.url);
  const pool = createScanPool({ module, pipeline, threads: 1, from: 0 });
  await pool.scan({ response: 'load' });
  const work = pool.scan({ response: 'compute' }).catch(() => {});
  await soon();
  await end(pool.close);
  await work;
}

const ways: Readonly<Record<string, () => Promise<void>>> = {
  close: () => endWith(classifier.close),
  loading: () => endWith(classifier.close),
  exit: () => endWith(() => process.exit()),
  // The call is given up, what the thread computes is not, and the thread keeps no process alive.
  end: () => endWith((stop) => stop.abort()),
  'pool close': () => endPool((close) => close()),
  'pool exit': () => endPool(() => process.exit()),
};
await ways[how]?.();
process.stdout.write('ended\n');
