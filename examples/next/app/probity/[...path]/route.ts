import { probity } from '../../../lib/probity';

export const GET = probity.fetch;
export const POST = probity.fetch;
export const PATCH = probity.fetch;
export const DELETE = probity.fetch;
