/** Where certificates are found by everyone. */
export interface CertificateAddresses {
  /** The certificate as JSON. */
  url(id: string): string;
  /** The page that shows its state and checks texts. */
  pageUrl(id: string): string;
}

/**
 * The public addresses of certificates.
 * @param trustUrl base of the addresses, without a slash at the end
 * @param prefix path of the general API below it: `/api/v1`
 */
export function createAddresses(trustUrl: () => string, prefix: string): CertificateAddresses {
  return {
    url: (id) => `${trustUrl()}${prefix}/trust/certificates/${id}`,
    pageUrl: (id) => `${trustUrl()}/certificates/${id}`,
  };
}
