import { verifyWebhook, WebhookVerificationError } from '@probity/webhooks/verify';

/** Receives webhooks; answers with the id of the event. */
export async function POST(request) {
  try {
    const body = await request.arrayBuffer();
    const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);
    return new Response(event.id);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: error.status });
  }
}
