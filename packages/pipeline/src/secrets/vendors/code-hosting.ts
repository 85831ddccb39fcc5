import { endsInBase62Crc } from '../checksums.ts';
import type { NamedRow, PrefixedRow } from '../secret-row.ts';

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
    opens: ['github_pat_'],
    body: '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
    source: 'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure',
  },
  {
    vendor: 'GitLab',
    type: 'access_token',
    opens: [
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
    ],
    body: '[A-Za-z0-9_=-]{20,300}(?:\\.[0-9a-z]{2}(?:\\.[0-9a-z]{2})?[0-9a-z]{7})?',
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
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
    opens: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    body: '[A-Za-z0-9_-]{50,1000}',
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
    vendor: 'crates.io',
    type: 'access_token',
    opens: ['cio'],
    body: '[A-Za-z0-9]{32}',
    accepts: isMixed,
    score: 0.8,
    source: 'https://doc.rust-lang.org/cargo/reference/publishing.html',
  },
  {
    vendor: 'NuGet',
    type: 'api_key',
    opens: ['oy2'],
    body: '[a-z0-9]{43}',
    score: 0.85,
    source: 'https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys',
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
    vendor: 'CircleCI',
    type: 'access_token',
    opens: ['CCIPAT_', 'CCIPRJ_'],
    body: '[A-Za-z0-9]{22}_[0-9a-f]{40}',
    source: 'https://circleci.com/docs/managing-api-tokens/',
  },
  {
    vendor: 'Buildkite',
    type: 'access_token',
    opens: ['bkua_'],
    body: '[0-9a-f]{40}',
    source: 'https://buildkite.com/docs/apis/managing-api-tokens',
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
