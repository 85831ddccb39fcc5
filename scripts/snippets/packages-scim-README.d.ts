declare const authenticate: import('@probity/core').Authenticate;
declare const provisioning: import('@probity/scim').Provisioning;
declare const storage: import('@probity/scim').ScimStorage;
declare function createTenant(): Promise<string>;
declare function openAnother(): null;
declare function dispose(): Promise<void>;
