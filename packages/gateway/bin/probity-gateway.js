#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `probity-gateway: Node 20.19 or newer is needed; this is ${process.versions.node}.`,
  );
  process.exit(1);
}
const { main, processContext } = await import('../dist/src/main.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('dist/src/main.js'))
    throw error;
  console.error('probity-gateway: not built yet; run `npm run build` first.');
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2), processContext());
