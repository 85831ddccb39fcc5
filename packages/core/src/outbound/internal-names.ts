/** Top-level labels that denote the local machine, network or cluster and never a public host. */
const INTERNAL_SUFFIXES = [
  'localhost', // RFC 6761, section 6.3
  'localdomain',
  'local', // RFC 6762; Kubernetes' cluster.local
  'internal', // reserved by ICANN for private use; metadata.google.internal, host.docker.internal
  'svc', // Kubernetes services
  'pod', // Kubernetes pods
  'cluster', // Kubernetes with a custom cluster domain
  'consul',
  'nomad',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa', // RFC 8375
  'in-addr.arpa',
  'ip6.arpa',
];

/** Names of metadata services under public domains. */
const METADATA_NAMES = [
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
];

const internalEndings: readonly string[] = [...INTERNAL_SUFFIXES, ...METADATA_NAMES];

/**
 * Whether a host name is internal by its form: on the list above, below a name on it, or without a
 * dot. `name` is as the URL parser returns it: lower case, IDNA applied; one trailing dot is
 * ignored.
 */
export function isInternalName(name: string): boolean {
  const bare = name.replace(/\.$/, '');
  if (!bare.includes('.')) return true;
  return internalEndings.some((ending) => bare === ending || bare.endsWith(`.${ending}`));
}
