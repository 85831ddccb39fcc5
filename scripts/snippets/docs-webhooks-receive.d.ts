declare const secret: string;
declare const rawBody: string;
declare const headers: Record<string, string>;
