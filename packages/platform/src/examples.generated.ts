import type { OperationExamples } from '@probity/core/koa';

// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.
export const examples: OperationExamples = {
  acceptInvitation: {
    request: {
      token: 'pin_1',
      name: 'Carol Diaz',
      password: 'correct horse battery staple',
    },
    responses: {
      '200': {
        id: 'mem_6',
        email: 'carol@acme.example',
        name: 'Carol Diaz',
        role: 'viewer',
        status: 'active',
        created_at: '2026-01-01T12:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
        organization_id: 'org_1',
      },
    },
  },
  addMember: {
    request: {
      email: 'bob@acme.example',
      role: 'viewer',
    },
    responses: {
      '201': {
        id: 'mem_2',
        email: 'bob@acme.example',
        name: null,
        role: 'viewer',
        status: 'pending_invite',
        created_at: '2026-01-01T12:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
        invitation_sent_at: '2026-01-01T12:00:00.000Z',
      },
    },
  },
  beginMfa: {
    request: {
      password: 'correct horse battery staple',
    },
    responses: {
      '201': {
        secret: 'JBSWY3DPEHPK3PXP',
        otpauth_url: 'otpauth://totp/Acme:ann%40acme.example?secret=JBSWY3DPEHPK3PXP&issuer=Acme',
      },
    },
  },
  changeMemberRole: {
    request: {
      role: 'editor',
    },
    responses: {
      '200': {
        id: 'mem_3',
        email: 'bob@acme.example',
        name: null,
        role: 'editor',
        status: 'active',
        created_at: '2026-01-01T12:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
      },
    },
  },
  changePassword: {
    request: {
      current_password: 'correct horse battery staple',
      new_password: 'a better horse battery staple',
    },
  },
  confirmMfa: {
    request: {
      otp: '123456',
    },
    responses: {
      '200': {
        recovery_codes: ['4kq7-x2mn', '9wdt-c6ph'],
      },
    },
  },
  createApiKey: {
    request: {
      name: 'CI',
    },
    responses: {
      '201': {
        id: 'key_2',
        name: 'CI',
        prefix: 'pbk_2',
        role: 'admin',
        created_at: '2026-01-01T12:00:00.000Z',
        expires_at: null,
        token: 'pbk_3',
      },
    },
  },
  disableMfa: {
    request: {
      password: 'correct horse battery staple',
      otp: '123456',
    },
  },
  enableScim: {
    request: {},
    responses: {
      '201': {
        token: 'psc_2',
        enabled: true,
        base_url: 'https://probity.example.com/scim/v2',
        token_prefix: 'psc_3',
        created_at: '2026-01-01T12:00:00.000Z',
        expires_at: null,
        last_used: null,
        user_count: 4,
        group_count: 4,
      },
    },
  },
  forgetPassword: {
    request: {
      email: 'carol@acme.example',
    },
  },
  getMfa: {
    responses: {
      '200': {
        enabled: false,
        recovery_codes_left: 0,
      },
    },
  },
  getOrganization: {
    responses: {
      '200': {
        id: 'org_1',
        name: 'Acme',
        slug: 'acme',
        created_at: '2026-01-01T12:00:00.000Z',
        plan: 'enterprise',
        members_count: 3,
        gateway_instances: 0,
        sentinel_agents: 0,
        description: null,
        website: null,
        timezone: 'UTC',
        settings: {
          sso_enabled: false,
          sso_provider: null,
          ip_allowlist: [],
          data_residency: null,
        },
      },
    },
  },
  getScimStatus: {
    responses: {
      '200': {
        enabled: true,
        base_url: 'https://probity.example.com/scim/v2',
        token_prefix: 'psc_1',
        created_at: '2026-01-01T12:00:00.000Z',
        expires_at: null,
        last_used: '2026-01-01T12:00:00.000Z',
        user_count: 1,
        group_count: 1,
      },
    },
  },
  getSession: {
    responses: {
      '200': {
        member: {
          id: 'mem_1',
          email: 'ann@acme.example',
          name: null,
          role: 'owner',
          status: 'active',
          created_at: '2026-01-01T12:00:00.000Z',
          last_login: '2026-01-01T12:00:00.000Z',
          mfa_enabled: false,
        },
        organization: {
          id: 'org_1',
          name: 'Acme',
          slug: 'acme',
        },
        csrf_token: '5dHf7Qp1Zk3Rw9Yb',
        expires_at: '2026-01-31T12:00:00.000Z',
      },
    },
  },
  getSubscription: {
    responses: {
      '200': {
        id: 'sub_1',
        organization_id: 'org_1',
        plan: 'enterprise',
        status: 'active',
        billing_cycle_start: '2026-01-01T12:00:00.000Z',
        billing_cycle_end: '2026-01-31T12:00:00.000Z',
        amount: 499900,
        currency: 'usd',
        billing_email: 'ann@acme.example',
        auto_renew: true,
        features: {
          gateway_instances: 1000,
          sentinel_agents: 10000,
          api_requests_per_month: 100000000,
          advanced_analytics: true,
          custom_integrations: true,
        },
      },
    },
  },
  getUsage: {
    responses: {
      '200': {
        period: {
          start: '2026-01-01',
          end: '2026-01-31',
        },
        gateway_instances: {
          limit: 1000,
          used: 0,
        },
        sentinel_agents: {
          limit: 10000,
          used: 0,
        },
        api_requests: {
          limit: 100000000,
          used: 91,
        },
        gateway_scans: {
          limit: 100000000,
          used: 4,
        },
        storage_gb: {
          limit: 10000,
          used: 0,
        },
      },
    },
  },
  listApiKeys: {
    responses: {
      '200': {
        api_keys: [
          {
            id: 'key_1',
            name: 'Bootstrap',
            prefix: 'pbk_1',
            role: 'owner',
            created_at: '2026-01-01T12:00:00.000Z',
            expires_at: null,
            member_id: 'mem_1',
            effective_role: 'owner',
            last_used: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listAuditLog: {
    responses: {
      '200': {
        audit_log: [
          {
            id: 'aud_1',
            sequence: 27,
            action: 'webhook.replayed',
            actor: {
              type: 'member',
              id: 'mem_1',
              credential_id: 'key_1',
            },
            target: {
              type: 'webhook',
              id: 'whk_2',
            },
            before: null,
            after: {
              replayId: 'rpl_1',
              kind: 'all',
              since: '2025-02-07T17:13:00.000Z',
              until: '2026-01-01T12:00:00.000Z',
              types: ['alert.created', 'policy.violated'],
            },
            address: '203.0.113.7',
            request_id: 'req_1',
            previous_hash: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
            hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
            created_at: '2026-01-01T12:00:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listInvitations: {
    responses: {
      '200': {
        invitations: [
          {
            id: 'inv_1',
            email: 'bob@acme.example',
            role: 'viewer',
            sent_at: '2026-01-01T12:00:00.000Z',
            expires_at: '2026-01-08T12:00:00.000Z',
            status: 'pending',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listInvoices: {
    responses: {
      '200': {
        invoices: [
          {
            id: 'ivc_1',
            amount: 499900,
            currency: 'usd',
            date: '2026-01-01',
            due_date: '2026-01-31',
            status: 'paid',
            pdf_url:
              'https://probity.example.com/v1/invoices/ivc_2?expires=1767272400&signature=Q2VydA',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listMembers: {
    responses: {
      '200': {
        members: [
          {
            id: 'mem_1',
            email: 'ann@acme.example',
            name: null,
            role: 'owner',
            status: 'active',
            created_at: '2026-01-01T12:00:00.000Z',
            last_login: '2026-01-01T12:00:00.000Z',
            mfa_enabled: false,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listOrganizations: {
    responses: {
      '200': {
        organizations: [
          {
            id: 'org_1',
            name: 'Acme',
            slug: 'acme',
            created_at: '2026-01-01T12:00:00.000Z',
            plan: 'enterprise',
            members_count: 3,
            gateway_instances: 0,
            sentinel_agents: 0,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listRoles: {
    responses: {
      '200': {
        roles: [
          {
            id: 'owner',
            name: 'Owner',
            description: 'Full access, billing management, organization deletion',
            permissions: ['ai_systems:read', 'ai_systems:write'],
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  listSessions: {
    responses: {
      '200': {
        sessions: [
          {
            id: 'ses_1',
            created_at: '2026-01-01T12:00:00.000Z',
            last_used: '2026-01-01T12:00:00.000Z',
            expires_at: '2026-01-31T12:00:00.000Z',
            address: '203.0.113.7',
            user_agent: 'Mozilla/5.0',
            is_current: true,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        has_more: false,
      },
    },
  },
  logIn: {
    request: {
      email: 'bob@acme.example',
      password: 'correct horse battery staple',
    },
    responses: {
      '200': {
        access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZW1fMSJ9.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 900,
        csrf_token: '5dHf7Qp1Zk3Rw9Yb',
        member: {
          id: 'mem_7',
          email: 'bob@acme.example',
          name: null,
          role: 'viewer',
          status: 'active',
          created_at: '2026-01-01T12:00:00.000Z',
          last_login: '2026-01-01T12:00:00.000Z',
          mfa_enabled: false,
        },
        organization: {
          id: 'org_1',
          name: 'Acme Europe',
          slug: 'acme',
        },
      },
    },
  },
  reactivateMember: {
    responses: {
      '200': {
        id: 'mem_5',
        email: 'bob@acme.example',
        name: null,
        role: 'viewer',
        status: 'active',
        created_at: '2026-01-01T12:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
      },
    },
  },
  refreshSession: {
    responses: {
      '200': {
        access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZW1fMSJ9.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 900,
        csrf_token: '5dHf7Qp1Zk3Rw9Yb',
        member: {
          id: 'mem_7',
          email: 'bob@acme.example',
          name: null,
          role: 'viewer',
          status: 'active',
          created_at: '2026-01-01T12:00:00.000Z',
          last_login: '2026-01-01T12:00:00.000Z',
          mfa_enabled: false,
        },
        organization: {
          id: 'org_1',
          name: 'Acme Europe',
          slug: 'acme',
        },
      },
    },
  },
  renewRecoveryCodes: {
    request: {
      password: 'correct horse battery staple',
      otp: '123456',
    },
    responses: {
      '200': {
        recovery_codes: ['4kq7-x2mn', '9wdt-c6ph'],
      },
    },
  },
  reportInstance: {
    request: {
      kind: 'gateway',
      instance_id: 'gateway-eu-1',
      version: '1.0.0',
    },
    responses: {
      '200': {
        data: {
          kind: 'gateway',
          instance_id: 'gateway-eu-1',
          version: '1.0.0',
          first_seen: '2026-01-01T12:00:00.000Z',
          last_seen: '2026-01-01T12:00:00.000Z',
        },
      },
    },
  },
  reportUsage: {
    request: {
      kind: 'gateway',
      instance_id: 'gateway-eu-1',
      usage: [
        {
          minute: '2026-01-01T12:00:00.000Z',
          scans: 3,
        },
      ],
    },
    responses: {
      '200': {
        data: {
          accepted: 1,
          repeated: 0,
          expired: 0,
          gateway_scans: {
            limit: 100000000,
            used: 443,
          },
        },
      },
    },
  },
  resendInvitation: {
    responses: {
      '200': {
        id: 'inv_2',
        email: 'bob@acme.example',
        role: 'viewer',
        sent_at: '2026-01-01T12:00:00.000Z',
        expires_at: '2026-01-08T12:00:00.000Z',
        status: 'pending',
      },
    },
  },
  resetPassword: {
    request: {
      token: 'prs_1',
      password: 'correct horse battery staple',
    },
  },
  suspendMember: {
    responses: {
      '200': {
        id: 'mem_4',
        email: 'bob@acme.example',
        name: null,
        role: 'viewer',
        status: 'suspended',
        created_at: '2026-01-01T12:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
      },
    },
  },
  updateOrganization: {
    request: {
      name: 'Acme Europe',
    },
    responses: {
      '200': {
        id: 'org_1',
        name: 'Acme Europe',
        slug: 'acme',
        created_at: '2026-01-01T12:00:00.000Z',
        plan: 'enterprise',
        members_count: 6,
        gateway_instances: 1,
        sentinel_agents: 0,
        description: null,
        website: null,
        timezone: 'UTC',
        settings: {
          sso_enabled: false,
          sso_provider: null,
          ip_allowlist: [],
          data_residency: null,
        },
      },
    },
  },
  updateSubscription: {
    request: {
      plan: 'professional',
      auto_renew: false,
    },
    responses: {
      '200': {
        id: 'sub_1',
        organization_id: 'org_1',
        plan: 'professional',
        status: 'active',
        billing_cycle_start: '2026-01-01T12:00:00.000Z',
        billing_cycle_end: '2026-01-31T12:00:00.000Z',
        amount: 49900,
        currency: 'usd',
        billing_email: 'ann@acme.example',
        auto_renew: false,
        features: {
          gateway_instances: 10,
          sentinel_agents: 50,
          api_requests_per_month: 2000000,
          advanced_analytics: true,
          custom_integrations: false,
        },
      },
    },
  },
  withdrawUsage: {
    request: {
      kind: 'gateway',
      instance_id: 'gateway-eu-1',
      since: '2025-02-02T19:35:00.000Z',
      until: '2025-02-03T19:35:00.000Z',
    },
    responses: {
      '200': {
        data: {
          withdrawn: 0,
          scans: 0,
        },
      },
    },
  },
};
