export function GET() {
  return new Response('A page of the host.');
}
