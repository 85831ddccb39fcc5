import { useQuery } from '@tanstack/preact-query';
import { api, hasPlatform } from '../api/connection.ts';
import { may, organizationId } from '../api/session.ts';

/** A member by name or e-mail; the id where the member is gone or beyond the first hundred. */
export function Person({ id }: { readonly id: string | null }) {
  const { data } = useQuery({
    queryKey: ['members', 'names'],
    queryFn: () => api.organizations.listMembers(organizationId.value, { limit: 100 }).page(),
    // Members of a host's application are not listed by the API.
    enabled: hasPlatform && may('members:read'),
    staleTime: 60_000,
  });
  const member = data?.items.find((each) => each.id === id);
  return <span dir="auto">{member?.name ?? member?.email ?? id}</span>;
}
