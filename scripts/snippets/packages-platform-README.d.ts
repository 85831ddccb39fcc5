declare const probity: typeof import('@probity/core');
declare const internal: typeof import('@probity/core/internal');
declare const sql: typeof import('@probity/core/sql');
declare const platform: typeof import('@probity/platform');
declare const database: import('@probity/core/sql').SqlDatabase;
declare const storage: import('@probity/platform').PlatformStorage;
declare const logger: import('@probity/core').Logger;
declare const clock: import('@probity/core').Clock;
declare const ids: import('@probity/core').Ids;
