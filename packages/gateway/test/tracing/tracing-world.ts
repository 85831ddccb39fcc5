import { LOOPBACK } from '../world.ts';
import type { Receiver } from './receiver.ts';

/** Exports follow each other at once, so that a test waits for nothing but them. */
export const PROMPT = { OTEL_BSP_SCHEDULE_DELAY: '1' };

/** The section of a configuration that traces everything; `more` are further keys. */
export function tracingText({ url }: Pick<Receiver, 'url'>, more = ''): string {
  const keys = `tracing_enabled: true, otel_endpoint: "${url}", sample_rate: 1`;
  return `observability: {${keys}${more === '' ? '' : `, ${more}`}}\n`;
}

/** The same with the listeners of a test. */
export function tracedText(receiver: Pick<Receiver, 'url'>, more = ''): string {
  return LOOPBACK + tracingText(receiver, more);
}

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
export const PARENT_ID = 'b7ad6b7169203331';

/** A `traceparent`. */
export function traceparent(flags = '01'): string {
  return `00-${TRACE_ID}-${PARENT_ID}-${flags}`;
}
