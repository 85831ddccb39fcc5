declare const app: import('koa');
declare const governance: import('@probity/governance').Governance;
declare const authenticate: import('@probity/core').Authenticate;
