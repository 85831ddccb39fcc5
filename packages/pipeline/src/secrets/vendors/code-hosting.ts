import { endsInBase36Crc, endsInBase62Crc, endsInHexCrc } from '../checksums.ts';
import type { NamedRow, PrefixedRow } from '../secret-row.ts';

const GITLAB_PREFIXES = [
  'glpat-',
  'gldt-',
  'glrt-',
  'glrtr-',
  'glcbt-',
  'glptt-',
  'glft-',
  'glsoat-',
  'glimt-',
  'glagent-',
  'gloas-',
  'glffct-',
  'glwt-',
];

/** Code hosting, package registries, build and delivery. */
export const CODE_HOSTING: readonly PrefixedRow[] = [
  {
    vendor: 'GitHub',
    type: 'access_token',
    opens: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: '[A-Za-z0-9]{36,251}',
    check: endsInBase62Crc,
    documented: /^gho_16C7e42F292c6912/,
    source:
      'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
  },
  {
    vendor: 'GitHub',
    type: 'access_token',
    opens: ['ghs_'],
    body: '[A-Za-z0-9]{1,20}_eyJ[A-Za-z0-9_-]{8,400}\\.eyJ[A-Za-z0-9_-]{8,2000}\\.[A-Za-z0-9_-]{20,800}',
    source:
      'https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-an-installation-access-token-for-a-github-app',
  },
  {
    vendor: 'GitHub',
    type: 'access_token',
    opens: ['github_pat_'],
    body: '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
    source: 'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure',
  },
  {
    vendor: 'GitLab',
    type: 'access_token',
    opens: GITLAB_PREFIXES,
    // Routable tokens: payload, version, length of the payload, CRC-32.
    body: '[A-Za-z0-9_-]{27,300}\\.(?:[0-9a-z]{2}\\.)?[0-9a-z]{9}',
    check: endsInBase36Crc,
    source:
      'https://handbook.gitlab.com/handbook/engineering/architecture/design-documents/cells/routable_tokens/',
  },
  {
    vendor: 'GitLab',
    type: 'access_token',
    opens: GITLAB_PREFIXES,
    // No part of a routable token, which its checksum is to decide.
    body: '(?:[A-Za-z0-9_=-]{20,26}|[A-Za-z0-9_=-]{27,300}(?!\\.(?:[0-9a-z]{2}\\.)?[0-9a-z]{9}(?![A-Za-z0-9])))(?![_=-])',
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
  },
  {
    vendor: 'GitLab',
    type: 'access_token',
    opens: ['_gitlab_session='],
    body: '[0-9a-z]{32}',
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
  },
  {
    vendor: 'GitLab',
    type: 'access_token',
    opens: ['GR1348941'],
    body: '[A-Za-z0-9_-]{20}',
    source: 'https://docs.gitlab.com/security/tokens/#runner-registration-tokens-deprecated',
  },
  {
    vendor: 'Bitbucket',
    type: 'access_token',
    opens: ['ATBB', 'ATCTT3xFfG'],
    body: '(?:[A-Za-z0-9]{24}[0-9A-F]{8}|[A-Za-z0-9_=-]{60,250})',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/',
  },
  {
    vendor: 'Atlassian',
    type: 'access_token',
    opens: ['ATATT3xFfG'],
    body: '[A-Za-z0-9_=-]{60,250}',
    source:
      'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
  },
  {
    vendor: 'npm',
    type: 'access_token',
    opens: ['npm_'],
    body: '[A-Za-z0-9]{36}',
    check: endsInBase62Crc,
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
  },
  {
    vendor: 'PyPI',
    type: 'access_token',
    opens: ['pypi-'],
    body: '[A-Za-z0-9_-]{85,1000}',
    accepts: isMixed,
    source: 'https://docs.pypi.org/api/secrets/',
  },
  {
    vendor: 'RubyGems',
    type: 'api_key',
    opens: ['rubygems_'],
    body: '[0-9a-f]{48}',
    source: 'https://guides.rubygems.org/api-key-scopes/',
  },
  {
    vendor: 'Packagist',
    type: 'access_token',
    opens: ['packagist_ort_', 'packagist_out_', 'packagist_uut_'],
    body: '[0-9a-f]{68}',
    check: endsInHexCrc,
    source: 'https://packagist.com/docs/composer-authentication#token-format',
  },
  {
    vendor: 'crates.io',
    type: 'access_token',
    opens: ['cio'],
    body: '[A-Za-z0-9]{32}',
    accepts: isMixed,
    score: 0.8,
    source: 'https://doc.rust-lang.org/cargo/reference/publishing.html',
  },
  {
    vendor: 'crates.io',
    type: 'access_token',
    // Of trusted publishing; the last sign is a checksum.
    opens: ['cio_tp_'],
    body: '[A-Za-z0-9]{32}',
    accepts: isMixed,
    source: 'https://crates.io/docs/trusted-publishing',
  },
  {
    vendor: 'NuGet',
    type: 'api_key',
    opens: ['oy2'],
    // Base32, as Microsoft's own rule for it says.
    body: '[a-z2-7]{43}',
    accepts: (value) => /\d/.test(value.slice(3)),
    score: 0.85,
    source: 'https://github.com/microsoft/security-utilities',
  },
  {
    vendor: 'Clojars',
    type: 'access_token',
    opens: ['CLOJARS_'],
    body: '[0-9a-f]{60}',
    source: 'https://github.com/clojars/clojars-web/wiki/Deploy-Tokens',
  },
  {
    vendor: 'Docker Hub',
    type: 'access_token',
    opens: ['dckr_pat_', 'dckr_oat_'],
    body: '[A-Za-z0-9_-]{27,32}',
    source: 'https://docs.docker.com/security/access-tokens/',
  },
  {
    vendor: 'JFrog Artifactory',
    type: 'api_key',
    opens: ['AKCp'],
    body: '[A-Za-z0-9]{69}',
    source: 'https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens',
  },
  {
    vendor: 'JFrog Artifactory',
    type: 'access_token',
    opens: ['cmVmdGtu'],
    body: '[A-Za-z0-9]{56}',
    source: 'https://jfrog.com/help/r/jfrog-platform-administration-documentation/reference-tokens',
  },
  {
    vendor: 'Sourcegraph',
    type: 'access_token',
    opens: ['sgp_'],
    body: '(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}',
    source: 'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token',
  },
  {
    vendor: 'Octopus Deploy',
    type: 'api_key',
    opens: ['API-'],
    body: '[A-Z0-9]{26,32}',
    accepts: (value) => /\d/.test(value.slice(4)) && /[A-Z]/.test(value.slice(4)),
    score: 0.85,
    source: 'https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key',
  },
  {
    vendor: 'CircleCI',
    type: 'access_token',
    opens: ['CCIPAT_', 'CCIPRJ_'],
    body: '[A-Za-z0-9]{21,22}_[0-9a-f]{40}',
    source: 'https://circleci.com/changelog/new-format-for-api-access-tokens/',
  },
  {
    vendor: 'Buildkite',
    type: 'access_token',
    opens: ['bkua_', 'bkaa_', 'bkaj_', 'bkjat_', 'bkar_', 'bkct_', 'bkpt_', 'bkpat_', 'bkps_'],
    // The vendor's agent redacts from 38 signs on.
    body: '[A-Za-z0-9_.-]{38,320}',
    accepts: (value) => /\d/.test(value),
    source: 'https://buildkite.com/docs/platform/security/tokens',
  },
  {
    vendor: 'SonarQube',
    type: 'access_token',
    opens: ['squ_', 'sqp_', 'sqa_'],
    body: '[0-9a-f]{40}',
    source: 'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/',
  },
  {
    vendor: 'Pulumi',
    type: 'access_token',
    opens: ['pul-'],
    body: '[0-9a-f]{40}',
    source: 'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/',
  },
  {
    vendor: 'Postman',
    type: 'api_key',
    opens: ['PMAK-'],
    body: '[0-9a-f]{24}-[0-9a-f]{34}',
    source: 'https://learning.postman.com/docs/developer/postman-api/authentication/',
  },
];

/** Tokens of the same field that have no form of their own. */
export const NAMED_CODE_HOSTING: readonly NamedRow[] = [
  {
    vendor: 'Snyk',
    type: 'access_token',
    names: ['snyk_token', 'snyk-token', 'snyk token'],
    value: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    source: 'https://docs.snyk.io/snyk-api/authentication-for-api',
  },
  {
    vendor: 'Codecov',
    type: 'access_token',
    names: ['codecov_token', 'codecov token'],
    value: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    source: 'https://docs.codecov.com/docs/codecov-tokens',
  },
  {
    vendor: 'Travis CI',
    type: 'access_token',
    names: ['travis_token', 'travis token', 'travis_api'],
    value: '[A-Za-z0-9_-]{22}',
    source: 'https://docs.travis-ci.com/user/triggering-builds/',
  },
];

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value.slice(3));
}
