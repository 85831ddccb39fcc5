export default {
  // Bundled, the packages run too, but better-sqlite3 is then left out of a standalone output.
  serverExternalPackages: ['@probity/core', '@probity/governance', '@probity/webhooks'],
  ...(process.env.NEXT_OUTPUT && { output: process.env.NEXT_OUTPUT }),
  outputFileTracingRoot: process.env.HOSTS_FOLDER,
  turbopack: { root: process.env.HOSTS_FOLDER },
};
