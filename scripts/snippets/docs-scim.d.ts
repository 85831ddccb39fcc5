declare const database: string;
declare const authenticate: import('@probity/core').Authenticate;
