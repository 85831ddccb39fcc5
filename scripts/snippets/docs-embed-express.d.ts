declare global {
  type AuthenticationRequest = import('@probity/core').AuthenticationRequest;
  const app: import('express').Express;
  const probity: import('@probity/core').Probity<[]>;
  function userOf(
    request: import('node:http').IncomingMessage,
  ): import('@probity/core').Caller | null;
}

export {};
