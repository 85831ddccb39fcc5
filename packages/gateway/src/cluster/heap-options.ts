/**
 * Options of V8 with which serving processes are started. By default V8 lets the old generation grow to about four times
 * what lives in it before it collects it; with requests of many connections in progress, what dies soon after is moved
 * there, and a process keeps 100 MiB of garbage. See docs/decisions/gateway.md for what they cost.
 */
export const HEAP_OPTIONS: readonly string[] = [
  '--heap-growing-percent=35',
  '--max-semi-space-size=8',
];
