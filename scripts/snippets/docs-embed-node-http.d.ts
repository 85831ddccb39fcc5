declare global {
  const server: import('node:http').Server;
  const probity: import('@probity/core').Probity<[]>;
  function findUser(token: string | null): import('@probity/core').Caller | null;
}

export {};
