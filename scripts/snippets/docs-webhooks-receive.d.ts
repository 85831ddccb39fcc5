declare const secret: string;
declare const rawBody: string;
declare const headers: Record<string, string>;
declare function notify(severity: string, message: string): void;
declare const eventTypes: {
  readonly 'order.shipped': { readonly example: { orderId: string; boxes: number } };
};
