declare const Database: typeof import('better-sqlite3');
declare const createInbox: typeof import('../../../examples/webhook-receiver/src/inbox.ts').createInbox;
declare function notify(severity: string, message: string): Promise<void>;
