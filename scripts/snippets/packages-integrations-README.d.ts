declare const authenticate: import('@probity/core').Authenticate;
declare const storage: import('@probity/integrations').IntegrationsStorage;
declare function createTenant(): Promise<string>;
declare function openAnother(): null;
declare function dispose(): Promise<void>;
