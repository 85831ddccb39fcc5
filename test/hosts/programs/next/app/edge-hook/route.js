export { POST } from '../hook/route.js';
export const runtime = 'edge';
