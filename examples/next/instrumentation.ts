/** Next calls this once when a server starts, not in builds. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { probity } = await import('./lib/probity');
  await probity.migrate();
  await probity.start(); // deliveries, retention
}
