let portal; // the token stays in memory, and is fetched again before it expires

async function call(method, path, body) {
  if (!portal || Date.parse(portal.expiresAt) < Date.now() + 30_000) {
    const answer = await fetch('/webhook-token', { method: 'POST' });
    if (!answer.ok) throw new Error('Sign in to manage webhooks.');
    portal = await answer.json();
  }
  const response = await fetch(`/probity/webhooks${path}`, {
    method,
    headers: { Authorization: `Bearer ${portal.token}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer?.data;
}

export const listWebhooks = () => call('GET', '');
export const createWebhook = (url, events) => call('POST', '', { url, events });
export const deleteWebhook = (id) => call('DELETE', `/${id}`);
export const sendTest = (id) => call('POST', `/${id}/test`, {});
export const listDeliveries = (id) => call('GET', `/${id}/deliveries`);
