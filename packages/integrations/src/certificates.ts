import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM text, one each.
 * @throws Error when it has none, or one that cannot be read
 */
export function parseCertificates(text: string): string[] {
  const certificates = text.match(PEM) ?? [];
  if (certificates.length === 0) throw new Error('must have certificates in the form PEM');
  for (const certificate of certificates) new X509Certificate(certificate);
  return certificates;
}
