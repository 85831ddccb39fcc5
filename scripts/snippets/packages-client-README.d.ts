declare const prompt: string;
declare const response: string;
declare const rawBody: string;
declare const request: Request;
declare const secret: string;
declare function notify(severity: string, message: string): void;
declare const probity: import('@probity/client').ProbityApi;
