declare global {
  const app: import('hono').Hono<{ Variables: { user: { id: string } } }>;
  const server: import('node:http').Server;
  const probity: import('@probity/core').Probity<[]>;
  function findUser(token: string | null): import('@probity/core').Caller | null;
}

export {};
