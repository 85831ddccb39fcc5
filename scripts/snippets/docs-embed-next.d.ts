declare global {
  const probity: import('@probity/core').Probity<[]>;
  function findSession(cookie: string | undefined): import('@probity/core').Caller | null;
}

export {};
