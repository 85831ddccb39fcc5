declare global {
  const app: import('fastify').FastifyInstance;
  const probity: import('@probity/core').Probity<[]>;
  function findUser(token: string | null): import('@probity/core').Caller | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    user?: object;
  }
}

export {};
