import { errorCode } from './failure.ts';

const TRUST =
  'use one of a public authority, or start Probity with NODE_EXTRA_CA_CERTS naming the authority';

/** Faults of a peer with the remedy, by the end of an error code of Node or OpenSSL. */
const FAULTS: ReadonlyArray<readonly [code: RegExp, fault: string]> = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired; renew it'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet; check the clocks of both sides'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, `the certificate is self-signed; ${TRUST}`],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, `the authority of the certificate is not trusted; ${TRUST}`],
  [
    /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)$/,
    'the server sends no intermediate certificate, or its authority is not trusted; send the whole chain, or start Probity with NODE_EXTRA_CA_CERTS naming the authority',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_(?:INVALID|FORMAT)$/,
    'the certificate is not for this host name; use one that names it',
  ],
  [/_(?:TOO_SMALL|TOO_WEAK)$/, 'a key or signature of the certificate is too weak; renew it'],
  [
    /(?:ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/,
    'the server offers TLS 1.1 or older only; enable TLS 1.2 or 1.3',
  ],
  [
    /ALERT_NO_APPLICATION_PROTOCOL$/,
    'the server offers no HTTP/1.1; enable it in addition to HTTP/2',
  ],
  [
    /_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|BAD_RECORD_TYPE)$/,
    'the port does not speak TLS; use the port of https',
  ],
  [
    /ALERT_CERTIFICATE_REQUIRED$/,
    'the server demands a client certificate; turn that off for this address',
  ],
  [
    /ALERT_HANDSHAKE_FAILURE$/,
    'the server shares no cipher suite, or demands a client certificate; allow ECDHE suites, and turn client certificates off',
  ],
  [/UNRECOGNIZED_NAME$/, 'the server has no certificate for this host name; configure one'],
  [
    /^(?:ECONNRESET|EPIPE)$/,
    'the server closed the connection; see its log of TLS errors, and firewalls in between',
  ],
];

/** The fault of a peer and the remedy, with the code of the error in parentheses. */
export function describeTlsFault(error: unknown): string {
  const code = errorCode(error);
  const fault = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  if (fault) return `TLS handshake failed: ${fault} (${code})`;
  const detail = error instanceof Error ? error.message : 'closed by the peer';
  return `TLS handshake failed (${code || detail})`;
}

/** Whether an error of an established connection is one of TLS: TLS 1.3 refuses a client after its handshake. */
export function isTlsFault(error: unknown): boolean {
  return errorCode(error).startsWith('ERR_SSL_');
}
