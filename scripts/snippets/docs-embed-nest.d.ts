declare module '@nestjs/core' {
  export const NestFactory: {
    create(module: object): Promise<{
      use(...handlers: unknown[]): unknown;
      listen(port: number): Promise<unknown>;
    }>;
  };
}

declare class AppModule {}
declare const session: import('express').RequestHandler;
declare const probity: import('@probity/core').Probity<[]>;
declare function userOf(
  request: import('node:http').IncomingMessage,
): import('@probity/core').Caller | null;
