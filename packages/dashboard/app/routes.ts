import type { FunctionComponent } from 'preact';
import type { IconName } from './ui/icon.tsx';

/** A page: its path, its permission, and its code, loaded on the first visit. */
export interface PageRoute {
  /** Below the mount, without a slash at the start. */
  readonly path: string;
  readonly load: () => Promise<FunctionComponent>;
  /** The operation of the API without which the page has nothing to show. */
  readonly operation: string;
  /** Its place in the side bar, where it has one. */
  readonly nav?: {
    readonly name: NavName;
    readonly group: NavGroup | null;
    readonly icon: IconName;
    /** Whoever lacks it does not see the link. */
    readonly permission: string;
  };
}

type NavGroup = 'monitor' | 'control' | 'connect' | 'prove' | 'organization';
type NavName =
  | 'overview'
  | 'playground'
  | 'scans'
  | 'alerts'
  | 'policies'
  | 'knowledge'
  | 'webhooks'
  | 'coverage'
  | 'evidence'
  | 'systems'
  | 'audit'
  | 'members'
  | 'keys'
  | 'scim'
  | 'integrations'
  | 'billing'
  | 'settings'
  | 'usage';

export const NAV_GROUPS: readonly NavGroup[] = [
  'monitor',
  'control',
  'connect',
  'prove',
  'organization',
];

export const routes: readonly PageRoute[] = [
  {
    path: '',
    operation: 'listScans',
    load: () => import('./pages/overview.tsx').then((page) => page.OverviewPage),
    nav: { name: 'overview', group: null, icon: 'overview', permission: 'scans:read' },
  },
  {
    path: 'playground',
    operation: 'scan',
    load: () => import('./pages/playground.tsx').then((page) => page.PlaygroundPage),
    nav: { name: 'playground', group: null, icon: 'play', permission: 'scans:create' },
  },
  {
    path: 'scans',
    operation: 'listScans',
    load: () => import('./pages/scans.tsx').then((page) => page.ScansPage),
    nav: { name: 'scans', group: 'monitor', icon: 'scan', permission: 'scans:read' },
  },
  {
    path: 'scans/:id',
    operation: 'getScan',
    load: () => import('./pages/scan.tsx').then((page) => page.ScanPage),
  },
  {
    path: 'alerts',
    operation: 'listAlerts',
    load: () => import('./pages/alerts.tsx').then((page) => page.AlertsPage),
    nav: { name: 'alerts', group: 'monitor', icon: 'alert', permission: 'alerts:read' },
  },
  {
    path: 'alerts/:id',
    operation: 'getAlert',
    load: () => import('./pages/alert.tsx').then((page) => page.AlertPage),
  },
  {
    path: 'policies',
    operation: 'listPolicies',
    load: () => import('./pages/policies.tsx').then((page) => page.PoliciesPage),
    nav: { name: 'policies', group: 'control', icon: 'policy', permission: 'policies:read' },
  },
  {
    path: 'policies/:id',
    operation: 'getPolicy',
    load: () => import('./pages/policy.tsx').then((page) => page.PolicyPage),
  },
  {
    path: 'knowledge',
    operation: 'listNuggets',
    load: () => import('./pages/knowledge.tsx').then((page) => page.KnowledgePage),
    nav: { name: 'knowledge', group: 'control', icon: 'book', permission: 'knowledge:read' },
  },
  {
    path: 'knowledge/import',
    operation: 'importNuggets',
    load: () => import('./pages/import-knowledge.tsx').then((page) => page.ImportKnowledgePage),
  },
  {
    path: 'webhooks',
    operation: 'listWebhooks',
    load: () => import('./pages/webhooks.tsx').then((page) => page.WebhooksPage),
    nav: { name: 'webhooks', group: 'connect', icon: 'hook', permission: 'webhooks:read' },
  },
  {
    path: 'webhooks/:id',
    operation: 'getWebhook',
    load: () => import('./pages/webhook.tsx').then((page) => page.WebhookPage),
  },
  {
    path: 'integrations',
    operation: 'listIntegrations',
    load: () => import('./pages/integrations.tsx').then((page) => page.IntegrationsPage),
    nav: { name: 'integrations', group: 'connect', icon: 'link', permission: 'integrations:read' },
  },
  {
    path: 'coverage',
    operation: 'getCoverage',
    load: () => import('./pages/coverage.tsx').then((page) => page.CoveragePage),
    nav: { name: 'coverage', group: 'prove', icon: 'grid', permission: 'evidence:read' },
  },
  {
    path: 'evidence',
    operation: 'listEvidence',
    load: () => import('./pages/evidence.tsx').then((page) => page.EvidencePage),
    nav: { name: 'evidence', group: 'prove', icon: 'evidence', permission: 'evidence:read' },
  },
  {
    path: 'evidence/import',
    operation: 'importEvaltool',
    load: () => import('./pages/import-results.tsx').then((page) => page.ImportResultsPage),
  },
  {
    path: 'evidence/:id',
    operation: 'getEvidence',
    load: () => import('./pages/evidence-record.tsx').then((page) => page.EvidenceRecordPage),
  },
  {
    path: 'ai-systems',
    operation: 'listAiSystems',
    load: () => import('./pages/ai-systems.tsx').then((page) => page.AiSystemsPage),
    nav: { name: 'systems', group: 'prove', icon: 'settings', permission: 'ai_systems:read' },
  },
  {
    path: 'audit-log',
    operation: 'listAuditLog',
    load: () => import('./pages/audit-log.tsx').then((page) => page.AuditLogPage),
    nav: { name: 'audit', group: 'prove', icon: 'audit', permission: 'audit_log:read' },
  },
  {
    path: 'members',
    operation: 'listMembers',
    load: () => import('./pages/members.tsx').then((page) => page.MembersPage),
    nav: { name: 'members', group: 'organization', icon: 'users', permission: 'members:read' },
  },
  {
    path: 'api-keys',
    operation: 'listApiKeys',
    load: () => import('./pages/api-keys.tsx').then((page) => page.ApiKeysPage),
    nav: { name: 'keys', group: 'organization', icon: 'key', permission: 'api_keys:read' },
  },
  {
    path: 'scim',
    operation: 'getScimStatus',
    load: () => import('./pages/scim.tsx').then((page) => page.ScimPage),
    nav: { name: 'scim', group: 'organization', icon: 'sync', permission: 'scim:read' },
  },
  {
    path: 'usage',
    operation: 'getUsage',
    load: () => import('./pages/usage.tsx').then((page) => page.UsagePage),
    nav: { name: 'usage', group: 'organization', icon: 'card', permission: 'usage:read' },
  },
  {
    path: 'billing',
    operation: 'getSubscription',
    load: () => import('./pages/billing.tsx').then((page) => page.BillingPage),
    nav: { name: 'billing', group: 'organization', icon: 'card', permission: 'subscription:read' },
  },
  {
    path: 'organization',
    operation: 'getOrganization',
    load: () => import('./pages/organization.tsx').then((page) => page.OrganizationPage),
    nav: {
      name: 'settings',
      group: 'organization',
      icon: 'settings',
      permission: 'organization:read',
    },
  },
  {
    path: 'profile',
    operation: 'getSession',
    load: () => import('./pages/profile.tsx').then((page) => page.ProfilePage),
  },
];
