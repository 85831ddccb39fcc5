declare const authenticate: import('@probity/core').Authenticate;
declare const storage: import('@probity/knowledge').KnowledgeStorage;
declare const organizationId: string;
declare const text: string;
declare function createTenant(): Promise<string>;
declare function openAnother(): null;
declare function dispose(): Promise<void>;
