// Generated from the OpenAPI document by scripts/client.mjs.

import type { CallOptions, KeyedCallOptions } from '../call-options.ts';
import type { Download } from '../download.ts';
import type { TextParts } from '../line-body.ts';
import type { Listing } from '../listing.ts';
import type { EventStream } from '../server-sent-events.ts';
import type {
  AgentgatewayPromptAnswer,
  AgentgatewayPromptRequest,
  AgentgatewayResponseAnswer,
  AgentgatewayResponseRequest,
  AiSystem,
  AiSystemChanges,
  Alert,
  AlertAcknowledgments,
  AlertAction,
  AlertAssignment,
  AlertAssignments,
  AlertChanges,
  AlertComment,
  AlertCount,
  AlertResolution,
  AlertResolutions,
  ApiKey,
  AuditEntry,
  Caller,
  Certificate,
  CertificateDetail,
  CertificateRevocation,
  Correction,
  CurrentSession,
  DeleteOrganizationQuery,
  Delivery,
  DeliveryDetail,
  DryRun,
  DryRunRequest,
  EvaltoolImport,
  EvaluationRun,
  EventTypeDescription,
  Evidence,
  EvidenceChanges,
  EvidenceImportResult,
  EvidenceVerification,
  ExportEvidenceQuery,
  FoundNugget,
  GetCoverageQuery,
  GetEvidenceReportQuery,
  GetObligationCatalogQuery,
  GovernanceSettings,
  GovernanceSettingsChanges,
  Heartbeat,
  ImportDetail,
  ImportNuggetsQuery,
  ImportNuggetsResult,
  ImportProgress,
  Incident,
  Instance,
  InstanceUsage,
  Integration,
  IntegrationChanges,
  IntegrationCheck,
  Invitation,
  InvitationAcceptance,
  InvitedMember,
  Invoice,
  IssuedApiKey,
  IssuedPortalToken,
  IssuedScimToken,
  IssuedWebhook,
  KnowledgeIndex,
  ListAiSystemsQuery,
  ListAlertCommentsQuery,
  ListAlertHistoryQuery,
  ListAlertsQuery,
  ListApiKeysQuery,
  ListAuditLogQuery,
  ListCertificatesQuery,
  ListCorrectionsQuery,
  ListEvaluationRunsQuery,
  ListEventsQuery,
  ListEvidenceQuery,
  ListedScan,
  ListImportsQuery,
  ListIntegrationsQuery,
  ListInvitationsQuery,
  ListInvoicesQuery,
  ListMembersQuery,
  ListNuggetsQuery,
  ListObligationsQuery,
  ListOrganizationsQuery,
  ListPoliciesQuery,
  ListPolicyVersionsQuery,
  ListProtectedTextsQuery,
  ListProviderTrendsQuery,
  ListRolesQuery,
  ListScanBatchItemsQuery,
  ListScansQuery,
  ListScimActivityQuery,
  ListSessionsQuery,
  ListWebhookDeliveriesQuery,
  ListWebhookEventTypesQuery,
  ListWebhookPortalTokensQuery,
  ListWebhookReplaysQuery,
  ListWebhooksQuery,
  LitellmGuardrailAnswer,
  LitellmGuardrailRequest,
  Member,
  MemberChanges,
  Membership,
  MfaBeginning,
  MfaConfirmation,
  MfaEnrollment,
  MfaProof,
  MfaStatus,
  ModerationAnswer,
  ModerationRequest,
  NewAiSystem,
  NewAlertComment,
  NewApiKey,
  NewChatopsIntegration,
  NewCorrection,
  NewIncident,
  NewItsmIntegration,
  NewMember,
  NewNugget,
  NewNuggets,
  NewPolicy,
  NewPortalToken,
  NewProtectedText,
  NewWebhook,
  NewWebhookRecovery,
  NewWebhookReplay,
  Nugget,
  NuggetChanges,
  Obligation,
  OpenInvoicePdfQuery,
  Organization,
  OrganizationChanges,
  OrganizationSummary,
  OscalCatalog,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  Policy,
  PolicyChanges,
  PolicyVersion,
  PortalToken,
  PortkeyGuardrailAnswer,
  PortkeyGuardrailRequest,
  ProtectedText,
  ProtectedTextChanges,
  ProviderTrend,
  PublicCertificate,
  ReadProtectedText,
  RecoveryCodes,
  RestoredContent,
  RestoreRequest,
  RevokeWebhookPortalTokensQuery,
  Role,
  RotatedWebhook,
  Scan,
  ScanBatch,
  ScanBatchItem,
  ScanBatchRequest,
  ScanOrBatch,
  ScanRequest,
  ScanStreamEvent,
  ScanStreamRequest,
  ScimActivity,
  ScimEnabling,
  ScimStatus,
  SearchNuggetsQuery,
  SecretRotation,
  ServiceStatus,
  Session,
  SignedIn,
  SignInCredentials,
  StoredEvent,
  StoredEventDetail,
  Subscription,
  SubscriptionChanges,
  SystemCoverage,
  UpdateOrganizationQuery,
  UsageReceipt,
  UsageReport,
  UsageWithdrawal,
  UsageWithdrawalReceipt,
  Verification,
  VerificationRequest,
  Webhook,
  WebhookChanges,
  WebhookReplay,
  WebhookStats,
  WebhookTest,
} from './schemas.ts';

/** Operations of `alerts`. */
export interface AlertsApi {
  /**
   * List alerts, newest first.
   *
   * Lists the alerts of the organization, all or those that match every filter; with `group_by=type`
   * it counts them by hour. Scans create alerts.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/alerts`
   */
  list(
    query: ListAlertsQuery & { readonly group_by: string },
    options?: CallOptions,
  ): Listing<AlertCount>;
  list(
    query?: ListAlertsQuery & { readonly group_by?: undefined },
    options?: CallOptions,
  ): Listing<Alert>;

  /**
   * Get an alert.
   *
   * Returns one alert of the organization, with its status and resolution.
   *
   * `GET /api/v1/alerts/{alert_id}`
   */
  get(alertId: string, options?: CallOptions): Promise<Alert>;

  /**
   * List what was done with an alert.
   *
   * Lists who acknowledged, assigned, commented and resolved the alert, and when, oldest first.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/alerts/{alert_id}/history`
   */
  listHistory(
    alertId: string,
    query?: ListAlertHistoryQuery,
    options?: CallOptions,
  ): Listing<AlertAction>;

  /**
   * List the comments on an alert.
   *
   * Lists the comments on an alert, oldest first.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/alerts/{alert_id}/comments`
   */
  listComments(
    alertId: string,
    query?: ListAlertCommentsQuery,
    options?: CallOptions,
  ): Listing<AlertComment>;

  /**
   * Comment on an alert.
   *
   * Adds a comment to an alert, open or resolved. Comments cannot be changed; they are deleted with
   * the alert.
   *
   * `POST /api/v1/alerts/{alert_id}/comments`
   */
  comment(
    alertId: string,
    body: NewAlertComment,
    options?: KeyedCallOptions,
  ): Promise<AlertComment>;

  /**
   * Resolve an alert.
   *
   * Resolves an alert and emits `alert.resolved`. Of several concurrent calls one does; the others,
   * and every later one, are refused with 409.
   *
   * `POST /api/v1/alerts/{alert_id}/resolve`
   */
  resolve(alertId: string, body: AlertResolution, options?: KeyedCallOptions): Promise<Alert>;

  /**
   * Acknowledge an alert.
   *
   * Notes that the caller has seen the alert. Who was first stays; a later call changes nothing. A
   * resolved alert is refused with 409.
   *
   * `POST /api/v1/alerts/{alert_id}/acknowledge`
   */
  acknowledge(alertId: string, options?: KeyedCallOptions): Promise<Alert>;

  /**
   * Assign an alert.
   *
   * Assigns an alert to an active member of the organization, or to nobody (null). A resolved alert
   * is refused with 409.
   *
   * `POST /api/v1/alerts/{alert_id}/assign`
   */
  assign(alertId: string, body: AlertAssignment, options?: KeyedCallOptions): Promise<Alert>;

  /**
   * Resolve several alerts.
   *
   * Resolves up to 500 alerts, with one `alert.resolved` each. Those that can be changed are, in one
   * transaction; the response says what became of each id.
   *
   * `POST /api/v1/alerts/resolve`
   */
  resolveMany(body: AlertResolutions, options?: KeyedCallOptions): Promise<AlertChanges>;

  /**
   * Acknowledge several alerts.
   *
   * Notes that the caller has seen up to 500 alerts. Those that can be changed are, in one
   * transaction; the response says what became of each id.
   *
   * `POST /api/v1/alerts/acknowledge`
   */
  acknowledgeMany(body: AlertAcknowledgments, options?: KeyedCallOptions): Promise<AlertChanges>;

  /**
   * Assign several alerts.
   *
   * Assigns up to 500 alerts to an active member, or to nobody (null). Those that can be changed
   * are, in one transaction; the response says what became of each id.
   *
   * `POST /api/v1/alerts/assign`
   */
  assignMany(body: AlertAssignments, options?: KeyedCallOptions): Promise<AlertChanges>;
}

/** Operations of `auth`. */
export interface AuthApi {
  /**
   * Sign in with e-mail and password.
   *
   * Returns an access token valid for 15 minutes and sets the cookies of a session of 30 days. Ten
   * failed attempts lock the e-mail address for 15 minutes (429 with Retry-After). An address
   * outside the organization's IP allowlist is answered like a wrong password (401).
   *
   * `POST /v1/auth/login`
   */
  logIn(body: SignInCredentials, options?: CallOptions): Promise<SignedIn>;

  /**
   * Renew the tokens of the session.
   *
   * Needs the refresh cookie and the header X-CSRF-Token. Each refresh token works once. Reuse
   * within ten seconds of the renewal returns 409 and changes nothing; later reuse ends the session.
   *
   * `POST /v1/auth/refresh`
   */
  refreshSession(options?: CallOptions): Promise<SignedIn>;

  /**
   * End the session and remove its cookies.
   *
   * Needs the access token, which may be expired, or the session cookies with X-CSRF-Token. A
   * session that has already ended is not an error.
   *
   * `POST /v1/auth/logout`
   */
  logOut(options?: CallOptions): Promise<void>;

  /**
   * Get the authenticated member and session.
   *
   * Returns the member and the organization of the session. API keys are refused.
   *
   * `GET /v1/auth/session`
   */
  getSession(options?: CallOptions): Promise<CurrentSession>;

  /**
   * List your own sessions, newest first.
   *
   * Lists the sessions of the calling member that have not ended.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/auth/sessions`
   */
  listSessions(query?: ListSessionsQuery, options?: CallOptions): Listing<Session>;

  /**
   * End one of your own sessions.
   *
   * The tokens of the session are refused from now on. The current session can be ended too.
   *
   * `DELETE /v1/auth/sessions/{session_id}`
   */
  endSession(sessionId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Change your own password.
   *
   * All your other sessions end.
   *
   * `POST /v1/auth/password`
   */
  changePassword(body: PasswordChange, options?: KeyedCallOptions): Promise<void>;

  /**
   * Request a password reset by e-mail.
   *
   * The response does not reveal whether a member has this e-mail address.
   *
   * `POST /v1/auth/password/forgot`
   */
  forgetPassword(body: PasswordResetRequest, options?: CallOptions): Promise<void>;

  /**
   * Set a new password with a reset token.
   *
   * The token works once and expires after one hour. All sessions of the member end.
   *
   * `POST /v1/auth/password/reset`
   */
  resetPassword(body: PasswordReset, options?: CallOptions): Promise<void>;

  /**
   * Get the status of the second factor.
   *
   * Returns whether the second factor of the calling member is enabled, and how many recovery codes
   * are unused.
   *
   * `GET /v1/auth/mfa`
   */
  getMfa(options?: CallOptions): Promise<MfaStatus>;

  /**
   * Start the enrollment of an authenticator app.
   *
   * Creates a TOTP secret (RFC 6238 with SHA-1, 6 digits and steps of 30 seconds). The second factor
   * is enabled when a one-time password confirms it.
   *
   * `POST /v1/auth/mfa`
   */
  beginMfa(body: MfaBeginning, options?: KeyedCallOptions): Promise<MfaEnrollment>;

  /**
   * Disable the second factor.
   *
   * Removes the second factor and its recovery codes. Needs the password and a one-time password or
   * recovery code.
   *
   * `DELETE /v1/auth/mfa`
   */
  disableMfa(body: MfaProof, options?: KeyedCallOptions): Promise<void>;

  /**
   * Enable the second factor.
   *
   * Enables the second factor with a one-time password of the enrolled app. The recovery codes are
   * returned only in this response.
   *
   * `POST /v1/auth/mfa/confirm`
   */
  confirmMfa(body: MfaConfirmation, options?: KeyedCallOptions): Promise<RecoveryCodes>;

  /**
   * Replace the recovery codes.
   *
   * The former recovery codes become invalid. Needs the password and a one-time password or recovery
   * code.
   *
   * `POST /v1/auth/mfa/recovery-codes`
   */
  renewRecoveryCodes(body: MfaProof, options?: KeyedCallOptions): Promise<RecoveryCodes>;
}

/** Operations of `compliance`. */
export interface ComplianceApi {
  /**
   * List AI systems.
   *
   * Lists the AI systems of the organization.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/ai-systems`
   */
  listAiSystems(query?: ListAiSystemsQuery, options?: CallOptions): Listing<AiSystem>;

  /**
   * Register an AI system.
   *
   * Registers an AI system that evidence can be about.
   *
   * `POST /api/v1/compliance/ai-systems`
   */
  createAiSystem(body: NewAiSystem, options?: KeyedCallOptions): Promise<AiSystem>;

  /**
   * Get an AI system.
   *
   * Returns one AI system of the organization.
   *
   * `GET /api/v1/compliance/ai-systems/{ai_system_id}`
   */
  getAiSystem(aiSystemId: string, options?: CallOptions): Promise<AiSystem>;

  /**
   * Update an AI system.
   *
   * Changes the given members and keeps the others. The coverage follows a new risk class at once.
   *
   * `PATCH /api/v1/compliance/ai-systems/{ai_system_id}`
   */
  updateAiSystem(
    aiSystemId: string,
    body: AiSystemChanges,
    options?: KeyedCallOptions,
  ): Promise<AiSystem>;

  /**
   * Delete an AI system.
   *
   * Deletes an AI system that no evidence refers to. While a record does, the request is refused
   * with 409: link the record to another AI system, or to none, first.
   *
   * `DELETE /api/v1/compliance/ai-systems/{ai_system_id}`
   */
  deleteAiSystem(aiSystemId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Verify the evidence of the organization.
   *
   * Walks the hash chain of all evidence and compares every record with it. A record that was
   * changed, removed, exchanged or added outside the API is found, also when the chain was computed
   * anew.
   *
   * `GET /api/v1/compliance/evidence/verify`
   */
  verifyEvidence(options?: CallOptions): Promise<EvidenceVerification>;

  /**
   * Import the results of an evaluation.
   *
   * Creates one evidence record for each provider of an evaluation and one for each failing result,
   * linked to the obligations that they support. The body may also be the output file itself, as the
   * tool has written it. Importing the same evaluation again creates nothing. No prompt, output,
   * variable or rubric is stored. At most 500 results and 10 MB. Needs the plan professional or a
   * higher one.
   *
   * `POST /api/v1/compliance/evidence/import/evaltool`
   */
  importEvaltool(body: EvaltoolImport, options?: KeyedCallOptions): Promise<EvidenceImportResult>;

  /**
   * Export evidence.
   *
   * Streams the evidence records of the organization, all or those that match every filter, in the
   * order of the chain. An answer that breaks off is incomplete: request it again.
   *
   * `GET /api/v1/compliance/export`
   */
  exportEvidence(query?: ExportEvidenceQuery, options?: CallOptions): Promise<Download>;

  /**
   * List evidence.
   *
   * Lists the evidence records of the organization, all or those that match every filter. A record
   * supports the obligations that it is linked to; it does not say that they are complied with.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/evidence`
   */
  listEvidence(query?: ListEvidenceQuery, options?: CallOptions): Listing<Evidence>;

  /**
   * Get an evidence record.
   *
   * Returns one record with the obligations that it supports.
   *
   * `GET /api/v1/compliance/evidence/{evidence_id}`
   */
  getEvidence(evidenceId: string, options?: CallOptions): Promise<Evidence>;

  /**
   * Change the AI system or the labels of an evidence record.
   *
   * Links the record to another AI system or gives it other labels, and appends the change to the
   * chain. What the record says and the obligations that it supports never change.
   *
   * `PATCH /api/v1/compliance/evidence/{evidence_id}`
   */
  updateEvidence(
    evidenceId: string,
    body: EvidenceChanges,
    options?: KeyedCallOptions,
  ): Promise<Evidence>;

  /**
   * List obligations.
   *
   * Lists the obligations, controls and criteria that evidence can support, with the numbers of
   * supporting and of adverse records and the newest one. Failures are adverse. Evidence supports an
   * obligation; whether it is complied with is for people to judge.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/obligations`
   */
  listObligations(query?: ListObligationsQuery, options?: CallOptions): Listing<Obligation>;

  /**
   * Get the obligations as an OSCAL catalog.
   *
   * The catalogue of obligations as a catalog of OSCAL 1.2.2, all frameworks or one. The export of
   * evidence with `format=oscal` refers to its controls.
   *
   * `GET /api/v1/compliance/catalog`
   */
  getObligationCatalog(
    query?: GetObligationCatalogQuery,
    options?: CallOptions,
  ): Promise<OscalCatalog>;

  /**
   * List obligations and their evidence by AI system.
   *
   * The matrix of AI systems and obligations with the newest evidence and the numbers of supporting
   * and of adverse records, in pages of AI systems. Obligations that are not about the risk class of
   * a system are left out. The evidence about no AI system is the last row.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/coverage`
   */
  getCoverage(query?: GetCoverageQuery, options?: CallOptions): Listing<SystemCoverage>;

  /**
   * List evaluation runs.
   *
   * Lists the results of each provider in each imported evaluation, newest first, from which a trend
   * is drawn.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/trend`
   */
  listEvaluationRuns(
    query?: ListEvaluationRunsQuery,
    options?: CallOptions,
  ): Listing<EvaluationRun>;

  /**
   * List providers with the results of their runs.
   *
   * Lists the providers of the matching runs, by id and label, with the sums of their results.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/compliance/trend/providers`
   */
  listProviderTrends(
    query?: ListProviderTrendsQuery,
    options?: CallOptions,
  ): Listing<ProviderTrend>;

  /**
   * Open the evidence report.
   *
   * A page to read, print and hand to an auditor: the obligations of a framework and an AI system
   * with their supporting and adverse evidence, the newest 1,000 records, and whether the chain of
   * records is intact. By default all frameworks and AI systems.
   *
   * `GET /api/v1/compliance/report`
   */
  getEvidenceReport(query?: GetEvidenceReportQuery, options?: CallOptions): Promise<Download>;
}

/** Operations of `doors`. */
export interface DoorsApi {
  /**
   * LiteLLM's Generic Guardrail API.
   *
   * Scans the texts that a LiteLLM proxy sends, before or after the call of a model. The answer is
   * 200 whatever is decided, as the protocol says it.
   *
   * `POST /api/v1/doors/litellm/beta/litellm_basic_guardrail_api`
   */
  guardLitellm(
    body: LitellmGuardrailRequest,
    options?: KeyedCallOptions,
  ): Promise<LitellmGuardrailAnswer>;

  /**
   * agentgateway's guardrail webhook, before the model is called.
   *
   * Scans the messages of a request. The answer is 200 whatever is decided, as the protocol says it.
   *
   * `POST /api/v1/doors/agentgateway/request`
   */
  guardAgentgatewayRequest(
    body: AgentgatewayPromptRequest,
    options?: KeyedCallOptions,
  ): Promise<AgentgatewayPromptAnswer>;

  /**
   * agentgateway's guardrail webhook, after the model has answered.
   *
   * Scans the choices of a response; of a stream, part by part as agentgateway sends them. The
   * answer is 200 whatever is decided, as the protocol says it.
   *
   * `POST /api/v1/doors/agentgateway/response`
   */
  guardAgentgatewayResponse(
    body: AgentgatewayResponseRequest,
    options?: KeyedCallOptions,
  ): Promise<AgentgatewayResponseAnswer>;

  /**
   * Portkey's webhook guardrail.
   *
   * Scans the request before, or the response after the call of a model. The answer is 200 whatever
   * is decided, as the protocol says it.
   *
   * `POST /api/v1/doors/portkey`
   */
  guardPortkey(
    body: PortkeyGuardrailRequest,
    options?: KeyedCallOptions,
  ): Promise<PortkeyGuardrailAnswer>;

  /**
   * OpenAI's moderations.
   *
   * Scans texts and answers as `POST /v1/moderations` of OpenAI does. Each text is a scan and
   * consumes a unit of `gateway_scans`. The answer is 200 whatever is decided, as the protocol says
   * it.
   *
   * `POST /api/v1/doors/openai/v1/moderations`
   */
  createModeration(body: ModerationRequest, options?: KeyedCallOptions): Promise<ModerationAnswer>;
}

/** Operations of `events`. */
export interface EventsApi {
  /**
   * List the events of the organization.
   *
   * Lists the events of the last 90 days, whether or not a webhook lists their types. An event is
   * listed when its transaction ends, and so may appear behind newer ones: a client that polls asks
   * again for the last seconds and leaves out the ids that it has.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/events`
   */
  list(query?: ListEventsQuery, options?: CallOptions): Listing<StoredEvent>;

  /**
   * Get an event with its data.
   *
   * Returns one event with the data that webhooks are sent.
   *
   * `GET /api/v1/events/{event_id}`
   */
  get(eventId: string, options?: CallOptions): Promise<StoredEventDetail>;
}

/** Operations of `governance`. */
export interface GovernanceApi {
  /**
   * Scan a prompt and response, or a conversation.
   *
   * Detects personal data, prompt injection and other problems, and applies the policies. Stores
   * hashes and findings, but not prompts and responses.
   *
   * `POST /api/v1/governance/scan`
   */
  scan(body: ScanRequest, options?: KeyedCallOptions): Promise<Scan>;

  /**
   * Scan a response while it comes in.
   *
   * Answers by server-sent events while the response is scanned: `release` with the next text that
   * may be passed on, which is final; `finding` when one is made; `final` at the end, with the body
   * that `POST /governance/scan` answers, a blocked one as well; `error` in place of `final` when
   * the response breaks off. The response comes as a whole in a JSON body, or as JSON Lines: in the
   * first line the request without it, in each further one the next part of it, `{"text": "…"}`,
   * sent as the model gives it. With messages the response is the next one. The scan is stored at
   * its end, also when the client disconnects: then with what has come until then.
   *
   * `POST /api/v1/governance/scan/stream`
   */
  scanStream(
    body:
      | ScanStreamRequest
      | (Omit<ScanStreamRequest, 'response'> & { readonly response: TextParts }),
    options?: CallOptions,
  ): EventStream<ScanStreamEvent>;

  /**
   * List scans.
   *
   * Lists the records of scans, newest first: all, or those that match every filter. Records hold
   * findings and hashes, no prompts and responses. With `kind=batch` it lists batches.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/governance/scans`
   */
  listScans(query?: ListScansQuery, options?: CallOptions): Listing<ListedScan>;

  /**
   * Scan a batch in the background.
   *
   * Stores up to 1,000 items, encrypted, and scans them in the background, each by the policies that
   * are in force then. `GET /governance/scans/{scan_id}` shows progress and results; the event
   * `scan.completed` follows once all items have one. An item that cannot be scanned is a result of
   * its own and fails no other. Every item consumes one unit of the quota `gateway_scans`; where
   * fewer remain, the items beyond them fail with `RATE_LIMIT_EXCEEDED`. An organization can have
   * 100 batches running; the next one is refused with 409.
   *
   * `POST /api/v1/governance/scans`
   */
  createScanBatch(body: ScanBatchRequest, options?: KeyedCallOptions): Promise<ScanBatch>;

  /**
   * Get a scan.
   *
   * Returns the record of one scan, while it is kept, or a batch with its progress and the results
   * of its items.
   *
   * `GET /api/v1/governance/scans/{scan_id}`
   */
  getScan(scanId: string, options?: CallOptions): Promise<ScanOrBatch>;

  /**
   * List the items of a batch with their scans.
   *
   * Lists the items of a batch by index, each with the record of its scan: all, or those that match
   * every filter.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/governance/scans/{batch_id}/items`
   */
  listScanBatchItems(
    batchId: string,
    query?: ListScanBatchItemsQuery,
    options?: CallOptions,
  ): Listing<ScanBatchItem>;

  /**
   * Cancel a batch.
   *
   * Ends a batch: items without a result are not scanned any more, and their texts are deleted.
   * Results stay, and consumed quota is not given back. `scan.completed` is not sent. If the batch
   * has ended, the answer is 409.
   *
   * `POST /api/v1/governance/scans/{batch_id}/cancel`
   */
  cancelScanBatch(batchId: string, options?: KeyedCallOptions): Promise<ScanBatch>;

  /**
   * Restore a redacted text or redacted messages.
   *
   * Puts the values back in place of the tokens that a scan with `redaction: token` made. What is no
   * token of the map stays; without changes in between, the result is the text that was scanned.
   * Stores nothing.
   *
   * `POST /api/v1/governance/restore`
   */
  restoreRedacted(body: RestoreRequest, options?: KeyedCallOptions): Promise<RestoredContent>;

  /**
   * List policies.
   *
   * Lists the policies of the organization: those that it started with, then its own, oldest first.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/governance/policies`
   */
  listPolicies(query?: ListPoliciesQuery, options?: CallOptions): Listing<Policy>;

  /**
   * Create a policy.
   *
   * Creates a policy in version 1. It holds for every scan that begins after the response, on every
   * instance. An organization can have 100 policies of its own; the next one is refused with 409.
   *
   * `POST /api/v1/governance/policies`
   */
  createPolicy(body: NewPolicy, options?: KeyedCallOptions): Promise<Policy>;

  /**
   * Get a policy.
   *
   * Returns one policy of the organization, in its present version.
   *
   * `GET /api/v1/governance/policies/{policy_id}`
   */
  getPolicy(policyId: string, options?: CallOptions): Promise<Policy>;

  /**
   * Update, enable or disable a policy.
   *
   * Changes the given members and keeps the others, as a new version of the policy. It holds for
   * every scan that begins after the response, on every instance.
   *
   * `PATCH /api/v1/governance/policies/{policy_id}`
   */
  updatePolicy(policyId: string, body: PolicyChanges, options?: KeyedCallOptions): Promise<Policy>;

  /**
   * Delete a policy.
   *
   * Deletes a policy and keeps its versions, which scans name. A policy that every organization
   * starts with cannot be deleted (409); disable it instead.
   *
   * `DELETE /api/v1/governance/policies/{policy_id}`
   */
  deletePolicy(policyId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * List the versions of a policy.
   *
   * Lists the versions of a policy, which never change, newest first; also those of a deleted
   * policy. A policy that the organization started with has its first version from its first scan
   * on.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/governance/policies/{policy_id}/versions`
   */
  listPolicyVersions(
    policyId: string,
    query?: ListPolicyVersionsQuery,
    options?: CallOptions,
  ): Listing<PolicyVersion>;

  /**
   * Try rules on stored scans.
   *
   * Judges stored scans by the present policies, and by the same with the rules enabled and
   * enforced, from the scores and findings that are stored. Changes nothing.
   *
   * `POST /api/v1/governance/policies/dry-run`
   */
  dryRunPolicy(body: DryRunRequest, options?: KeyedCallOptions): Promise<DryRun>;

  /**
   * List protected texts.
   *
   * Lists the protected texts of the organization without their texts, oldest first.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/governance/protected-texts`
   */
  listProtectedTexts(
    query?: ListProtectedTextsQuery,
    options?: CallOptions,
  ): Listing<ProtectedText>;

  /**
   * Create a protected text.
   *
   * Adds a text that responses must not repeat, or a token that they must never have. It holds for
   * every scan that begins after the response, on every instance, where the stage
   * `contamination_check` is on. The text is stored encrypted. An organization can have 200 of them
   * with 1,000,000 characters in all; more are refused with 409.
   *
   * `POST /api/v1/governance/protected-texts`
   */
  createProtectedText(body: NewProtectedText, options?: KeyedCallOptions): Promise<ProtectedText>;

  /**
   * Get a protected text.
   *
   * Returns one protected text with its text.
   *
   * `GET /api/v1/governance/protected-texts/{protected_text_id}`
   */
  getProtectedText(protectedTextId: string, options?: CallOptions): Promise<ReadProtectedText>;

  /**
   * Update a protected text.
   *
   * Changes the name or the text. It holds for every scan that begins after the response, on every
   * instance.
   *
   * `PATCH /api/v1/governance/protected-texts/{protected_text_id}`
   */
  updateProtectedText(
    protectedTextId: string,
    body: ProtectedTextChanges,
    options?: KeyedCallOptions,
  ): Promise<ProtectedText>;

  /**
   * Delete a protected text.
   *
   * Deletes a protected text; scans that begin after the response do not look for it.
   *
   * `DELETE /api/v1/governance/protected-texts/{protected_text_id}`
   */
  deleteProtectedText(protectedTextId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Get the settings of governance.
   *
   * Returns how long records of scans and resolved alerts are kept.
   *
   * `GET /api/v1/governance/settings`
   */
  getSettings(options?: CallOptions): Promise<GovernanceSettings>;

  /**
   * Change the settings of governance.
   *
   * Changes the given members and keeps the others. Terms hold from the next daily run of retention
   * on, on every instance, for the records that are stored by then as well.
   *
   * `PATCH /api/v1/governance/settings`
   */
  updateSettings(
    body: GovernanceSettingsChanges,
    options?: KeyedCallOptions,
  ): Promise<GovernanceSettings>;
}

/** Operations of `instances`. */
export interface InstancesApi {
  /**
   * Report a heartbeat of a gateway or agent.
   *
   * Send one per minute; an instance counts toward the quota for five minutes after each.
   *
   * `POST /api/v1/instances/heartbeat`
   */
  report(body: Heartbeat, options?: KeyedCallOptions): Promise<Instance>;

  /**
   * Report the scans of a gateway.
   *
   * The scans count against `gateway_scans` of their month, beyond its limit too. Report minutes
   * that have ended, and again until the answer is 200: the first report of a minute by an instance
   * counts, and a later one changes nothing. At most 10 reports of an instance in a minute.
   *
   * `POST /api/v1/instances/usage`
   */
  reportUsage(body: InstanceUsage, options?: KeyedCallOptions): Promise<UsageReceipt>;

  /**
   * Withdraw reports of a gateway that were wrong.
   *
   * The scans of the minutes from `since` to `until` do not count any more, and the minutes may be
   * reported again. Recorded in the audit log. A repeated call withdraws nothing.
   *
   * `POST /api/v1/instances/usage/withdraw`
   */
  withdrawUsage(body: UsageWithdrawal, options?: KeyedCallOptions): Promise<UsageWithdrawalReceipt>;
}

/** Operations of `integrations`. */
export interface IntegrationsApi {
  /**
   * Connect ServiceNow.
   *
   * Gets a token from the instance with the OAuth client credentials grant and stores the
   * connection. Refused credentials, and an instance that does not answer within 10 seconds, are
   * 422. Needs the plan enterprise or a higher one.
   *
   * `POST /api/v1/integrations/itsm`
   */
  connectItsm(body: NewItsmIntegration, options?: KeyedCallOptions): Promise<Integration>;

  /**
   * Connect Microsoft Teams.
   *
   * Gets a token from the token endpoint of the tenant with the OAuth client credentials grant and
   * stores the connection. Refused credentials, and an endpoint that does not answer within 10
   * seconds, are 422. Needs the plan enterprise or a higher one.
   *
   * `POST /api/v1/integrations/chatops`
   */
  connectChatops(body: NewChatopsIntegration, options?: KeyedCallOptions): Promise<Integration>;

  /**
   * List integrations.
   *
   * Lists the connections to external systems, without their secrets.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/integrations`
   */
  list(query?: ListIntegrationsQuery, options?: CallOptions): Listing<Integration>;

  /**
   * Get an integration.
   *
   * Returns one integration, without its secret.
   *
   * `GET /api/v1/integrations/{integration_id}`
   */
  get(integrationId: string, options?: CallOptions): Promise<Integration>;

  /**
   * Route alerts, or replace credentials.
   *
   * Changes the given members and keeps the others. New credentials are verified as at set-up before
   * they replace the former ones. Needs the plan enterprise or a higher one.
   *
   * `PATCH /api/v1/integrations/{integration_id}`
   */
  update(
    integrationId: string,
    body: IntegrationChanges,
    options?: KeyedCallOptions,
  ): Promise<Integration>;

  /**
   * Disconnect a system.
   *
   * Deletes the integration with its secret. Alerts that wait are not sent.
   *
   * `DELETE /api/v1/integrations/{integration_id}`
   */
  delete(integrationId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Test an integration.
   *
   * Gets a new token; then reads the incident table of an `itsm` integration, or posts a message to
   * the place that the routing of a `chatops` integration names. A step that fails is part of the
   * answer. Needs the plan enterprise or a higher one.
   *
   * `POST /api/v1/integrations/{integration_id}/test`
   */
  test(integrationId: string, options?: KeyedCallOptions): Promise<IntegrationCheck>;

  /**
   * Create an incident.
   *
   * Creates an incident in the connected ITSM system. With an Idempotency-Key, a call that is
   * repeated after a failure does not create a second one. Needs the plan enterprise or a higher
   * one.
   *
   * `POST /api/v1/integrations/itsm/incidents`
   */
  createIncident(body: NewIncident, options?: KeyedCallOptions): Promise<Incident>;
}

/** Operations of `invitations`. */
export interface InvitationsApi {
  /**
   * Accept an invitation with its token.
   *
   * Activates the pending member that the token was sent to. A token works once and expires after
   * seven days.
   *
   * `POST /v1/invitations/accept`
   */
  accept(body: InvitationAcceptance, options?: CallOptions): Promise<Membership>;
}

/** Operations of `invoices`. */
export interface InvoicesApi {
  /**
   * Open the PDF of an invoice by its signed link.
   *
   * Returns the PDF. The link of the invoice list carries the signature, so that no API key is
   * needed.
   *
   * `GET /v1/invoices/{invoice_id}/pdf`
   */
  openPdf(invoiceId: string, query?: OpenInvoicePdfQuery, options?: CallOptions): Promise<Download>;
}

/** Operations of `knowledge`. */
export interface KnowledgeApi {
  /**
   * List imports and their progress.
   *
   * Lists imports of the last 90 days, running ones with how far they are.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/knowledge/imports`
   */
  listImports(query?: ListImportsQuery, options?: CallOptions): Listing<ImportProgress>;

  /**
   * Get an import and its progress.
   *
   * Returns how far an import is, and once it has ended its first refused rows.
   *
   * `GET /api/v1/knowledge/imports/{import_id}`
   */
  getImport(importId: string, options?: CallOptions): Promise<ImportDetail>;

  /**
   * Import a knowledge base.
   *
   * Reads a JSON array of nuggets, or CSV with the header `claim,source_url,category,confidence`, as
   * it arrives, and stores its rows. A row whose claim and source the knowledge base has updates
   * that nugget or changes nothing, so the same file can be sent again. A row that is refused does
   * not stop the others, unless `strict` is true: then all rows are stored or none. At most 1 GiB,
   * and 64 KiB a row. `GET /knowledge/imports` shows meanwhile how far it is.
   *
   * `POST /api/v1/knowledge/nuggets/import`
   */
  importNuggets(
    body: NewNuggets,
    options?: CallOptions & { readonly query?: ImportNuggetsQuery },
  ): Promise<ImportNuggetsResult>;

  /**
   * List nuggets.
   *
   * Lists the knowledge base, all of it or what matches every filter.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/knowledge/nuggets`
   */
  listNuggets(query?: ListNuggetsQuery, options?: CallOptions): Listing<Nugget>;

  /**
   * Add a nugget.
   *
   * Adds a statement to the knowledge base. It has a claim of a source once: a second one is refused
   * with 409.
   *
   * `POST /api/v1/knowledge/nuggets`
   */
  createNugget(body: NewNugget, options?: KeyedCallOptions): Promise<Nugget>;

  /**
   * Get a nugget.
   *
   * Returns one nugget of the organization.
   *
   * `GET /api/v1/knowledge/nuggets/{nugget_id}`
   */
  getNugget(nuggetId: string, options?: CallOptions): Promise<Nugget>;

  /**
   * Change a nugget.
   *
   * Changes the given members and keeps the others.
   *
   * `PATCH /api/v1/knowledge/nuggets/{nugget_id}`
   */
  updateNugget(nuggetId: string, body: NuggetChanges, options?: KeyedCallOptions): Promise<Nugget>;

  /**
   * Delete a nugget.
   *
   * Deletes a nugget: claims are no longer held against it.
   *
   * `DELETE /api/v1/knowledge/nuggets/{nugget_id}`
   */
  deleteNugget(nuggetId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * List corrections.
   *
   * Lists the corrections of the organization, all or those of a nugget.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/knowledge/corrections`
   */
  listCorrections(query?: ListCorrectionsQuery, options?: CallOptions): Listing<Correction>;

  /**
   * Publish a correction.
   *
   * Publishes that a claim is wrong and what is right. In one transaction the nugget that stated the
   * claim states the correction, or a nugget is added, and the event `correction.deployed` is
   * appended.
   *
   * `POST /api/v1/knowledge/corrections`
   */
  publishCorrection(body: NewCorrection, options?: KeyedCallOptions): Promise<Correction>;

  /**
   * Get a correction.
   *
   * Returns one correction of the organization.
   *
   * `GET /api/v1/knowledge/corrections/{correction_id}`
   */
  getCorrection(correctionId: string, options?: CallOptions): Promise<Correction>;

  /**
   * Search nuggets by meaning.
   *
   * Ranks the nuggets that are nearest to a text in meaning, at most 200, of all categories or one.
   * A search finds what was stored before it; where more is not indexed yet than a second suffices
   * for, the header `X-Knowledge-Pending` has the number of nuggets that are missing, else 0.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/knowledge/nuggets/search`
   */
  searchNuggets(query: SearchNuggetsQuery, options?: CallOptions): Listing<FoundNugget>;

  /**
   * Get the state of the index.
   *
   * Says how far the vectors of the knowledge base follow its changes.
   *
   * `GET /api/v1/knowledge/index`
   */
  getIndex(options?: CallOptions): Promise<KnowledgeIndex>;
}

/** Operations of `organizations`. */
export interface OrganizationsApi {
  /**
   * List the latest SCIM requests.
   *
   * The last 100 requests with a valid SCIM token, newest first, without bodies.
   *
   * `GET /v1/organizations/{org_id}/scim/activity`
   */
  listScimActivity(
    orgId: string,
    query?: ListScimActivityQuery,
    options?: CallOptions,
  ): Promise<ScimActivity>;

  /**
   * List the organizations that the key belongs to.
   *
   * Lists the organization of the credential, as a page of one.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations`
   */
  list(query?: ListOrganizationsQuery, options?: CallOptions): Listing<OrganizationSummary>;

  /**
   * Get an organization.
   *
   * Returns the organization with its settings and counts.
   *
   * `GET /v1/organizations/{org_id}`
   */
  get(orgId: string, options?: CallOptions): Promise<Organization>;

  /**
   * Change the name, the time zone or the IP allowlist of an organization.
   *
   * Changes the given members and keeps the others. An IP allowlist without the caller's own address
   * is refused with 409 unless force is true.
   *
   * `PATCH /v1/organizations/{org_id}`
   */
  update(
    orgId: string,
    body: OrganizationChanges,
    options?: KeyedCallOptions & { readonly query?: UpdateOrganizationQuery },
  ): Promise<Organization>;

  /**
   * Delete an organization with all its data.
   *
   * Deletes the organization, its members, credentials and all other data, at once and for good. The
   * query must confirm it with the organization's slug.
   *
   * `DELETE /v1/organizations/{org_id}`
   */
  delete(orgId: string, query: DeleteOrganizationQuery, options?: KeyedCallOptions): Promise<void>;

  /**
   * List members, oldest first.
   *
   * Lists all members of the organization, including pending and suspended ones.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations/{org_id}/members`
   */
  listMembers(orgId: string, query?: ListMembersQuery, options?: CallOptions): Listing<Member>;

  /**
   * Add a member and send the invitation by e-mail.
   *
   * Creates a pending member with an invitation, and sends the invitation by e-mail. An e-mail
   * address that the organization already has is refused with 409.
   *
   * `POST /v1/organizations/{org_id}/members`
   */
  addMember(orgId: string, body: NewMember, options?: KeyedCallOptions): Promise<InvitedMember>;

  /**
   * Change a member's role or e-mail.
   *
   * Neither the current nor the new role may be higher than the caller's role. Only an owner may
   * change the e-mail, and so confirms an address that an identity provider has changed.
   *
   * `PATCH /v1/organizations/{org_id}/members/{user_id}`
   */
  changeMemberRole(
    orgId: string,
    userId: string,
    body: MemberChanges,
    options?: KeyedCallOptions,
  ): Promise<Member>;

  /**
   * Remove a member, or leave the organization.
   *
   * Every member can remove their own membership; other removals need members:write. The API keys of
   * the member are deleted too.
   *
   * `DELETE /v1/organizations/{org_id}/members/{user_id}`
   */
  removeMember(orgId: string, userId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Suspend a member and refuse its API keys and sessions.
   *
   * The API keys and sessions of the member are refused until the member is reactivated. The last
   * active owner cannot be suspended (409).
   *
   * `POST /v1/organizations/{org_id}/members/{user_id}/suspend`
   */
  suspendMember(orgId: string, userId: string, options?: KeyedCallOptions): Promise<Member>;

  /**
   * Reactivate a suspended member.
   *
   * Ends a suspension by an administrator. A member that only the identity provider suspends is
   * refused with 409.
   *
   * `POST /v1/organizations/{org_id}/members/{user_id}/reactivate`
   */
  reactivateMember(orgId: string, userId: string, options?: KeyedCallOptions): Promise<Member>;

  /**
   * List invitations, oldest first.
   *
   * Lists all invitations of the organization, including accepted, expired and revoked ones.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations/{org_id}/invitations`
   */
  listInvitations(
    orgId: string,
    query?: ListInvitationsQuery,
    options?: CallOptions,
  ): Listing<Invitation>;

  /**
   * Resend an invitation with a new token and expiry.
   *
   * The previous token becomes invalid. An expired invitation becomes pending again.
   *
   * `POST /v1/organizations/{org_id}/invitations/{invitation_id}/resend`
   */
  resendInvitation(
    orgId: string,
    invitationId: string,
    options?: KeyedCallOptions,
  ): Promise<Invitation>;

  /**
   * Revoke an invitation and remove its pending member.
   *
   * The token of the invitation becomes invalid, and the pending member is removed. An accepted
   * invitation is refused with 409.
   *
   * `DELETE /v1/organizations/{org_id}/invitations/{invitation_id}`
   */
  revokeInvitation(orgId: string, invitationId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * List API keys.
   *
   * Lists the API keys of the organization without their tokens. Revoked keys are not listed.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations/{org_id}/api-keys`
   */
  listApiKeys(orgId: string, query?: ListApiKeysQuery, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key.
   *
   * Creates a key for the calling member. The token is returned only in this response; the role can
   * be at most the caller's own. An organization can have 500 keys; the next one is refused with
   * 409.
   *
   * `POST /v1/organizations/{org_id}/api-keys`
   */
  createApiKey(orgId: string, body: NewApiKey, options?: KeyedCallOptions): Promise<IssuedApiKey>;

  /**
   * Revoke an API key.
   *
   * Requests with the key are refused with 401 from now on. This cannot be undone.
   *
   * `DELETE /v1/organizations/{org_id}/api-keys/{key_id}`
   */
  revokeApiKey(orgId: string, keyId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Get the SCIM status and base URL.
   *
   * Returns whether SCIM is enabled, the base URL for the identity provider, and facts about the
   * current token.
   *
   * `GET /v1/organizations/{org_id}/scim`
   */
  getScimStatus(orgId: string, options?: CallOptions): Promise<ScimStatus>;

  /**
   * Enable SCIM, or replace its token.
   *
   * Issues a SCIM token, which is returned only in this response. A previous token becomes invalid
   * at once, or after overlap_seconds.
   *
   * `POST /v1/organizations/{org_id}/scim`
   */
  enableScim(
    orgId: string,
    body?: ScimEnabling,
    options?: KeyedCallOptions,
  ): Promise<IssuedScimToken>;

  /**
   * Disable SCIM.
   *
   * Makes all SCIM tokens of the organization invalid. Members that were provisioned remain.
   *
   * `DELETE /v1/organizations/{org_id}/scim`
   */
  disableScim(orgId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Get the subscription.
   *
   * Returns the plan, the billing cycle and the limits of the plan.
   *
   * `GET /v1/organizations/{org_id}/subscription`
   */
  getSubscription(orgId: string, options?: CallOptions): Promise<Subscription>;

  /**
   * Change the plan or the automatic renewal.
   *
   * A new plan takes effect immediately; an invoice credits and charges the rest of the cycle. A
   * plan with limits below the current usage is refused with 409.
   *
   * `PATCH /v1/organizations/{org_id}/subscription`
   */
  updateSubscription(
    orgId: string,
    body: SubscriptionChanges,
    options?: KeyedCallOptions,
  ): Promise<Subscription>;

  /**
   * List invoices, newest first.
   *
   * Lists the invoices of the organization, each with a signed link to its PDF that expires after
   * one hour.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations/{org_id}/invoices`
   */
  listInvoices(orgId: string, query?: ListInvoicesQuery, options?: CallOptions): Listing<Invoice>;

  /**
   * Get this month's usage of the plan's quotas.
   *
   * Returns the limit and the usage of each quota in the current calendar month, in UTC.
   *
   * `GET /v1/organizations/{org_id}/usage`
   */
  getUsage(orgId: string, options?: CallOptions): Promise<UsageReport>;

  /**
   * List the audit log of the organization, newest first.
   *
   * Lists the changes of state in the organization, all or those that match the filters. Each entry
   * holds the hash of the one before, which makes changes of the log evident.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/organizations/{org_id}/audit-log`
   */
  listAuditLog(
    orgId: string,
    query?: ListAuditLogQuery,
    options?: CallOptions,
  ): Listing<AuditEntry>;
}

/** Operations of `roles`. */
export interface RolesApi {
  /**
   * List the roles with their permissions.
   *
   * Lists the roles that members and API keys can have. The same table authorizes requests.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /v1/roles`
   */
  list(query?: ListRolesQuery, options?: CallOptions): Listing<Role>;
}

/** Operations of `shield`. */
export interface ShieldApi {
  /**
   * Verify a text against the knowledge base, and certify it.
   *
   * Splits the content into claims and holds each against the knowledge base of the organization.
   * With `certify` it issues a certificate over the hash of the content where every claim is
   * supported in the words of a nugget. The content is not stored.
   *
   * `POST /api/v1/shield/verify`
   */
  verifyContent(body: VerificationRequest, options?: KeyedCallOptions): Promise<Verification>;

  /**
   * List certificates, newest first.
   *
   * Lists the certificates of the organization: all, those of a content by its hash, those that a
   * nugget supports, for instance after it was corrected, or those in a state.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/shield/certificates`
   */
  listCertificates(query?: ListCertificatesQuery, options?: CallOptions): Listing<Certificate>;

  /**
   * Get a certificate.
   *
   * Returns one certificate of the organization, and for each nugget that supports it whether it was
   * changed or deleted since.
   *
   * `GET /api/v1/shield/certificates/{certificate_id}`
   */
  getCertificate(certificateId: string, options?: CallOptions): Promise<CertificateDetail>;

  /**
   * Revoke a certificate.
   *
   * Revokes a certificate, for good: the public answers show it at once. Emits
   * `certification.revoked`. 409 when it is revoked already.
   *
   * `POST /api/v1/shield/certificates/{certificate_id}/revoke`
   */
  revokeCertificate(
    certificateId: string,
    body: CertificateRevocation,
    options?: KeyedCallOptions,
  ): Promise<Certificate>;
}

/** Operations of `status`. */
export interface StatusApi {
  /**
   * Get the version and status of the API.
   *
   * Returns the version of the API and whether the service is operational, degraded or in
   * maintenance. Needs no API key.
   *
   * `GET /api/status`
   */
  get(options?: CallOptions): Promise<ServiceStatus>;
}

/** Operations of `trust`. */
export interface TrustApi {
  /**
   * Get a certificate as everyone sees it.
   *
   * Returns the certificate and its state. Needs no API key. To be asked again before each use, as
   * certificates can be revoked.
   *
   * `GET /api/v1/trust/certificates/{certificate_id}`
   */
  getPublicCertificate(certificateId: string, options?: CallOptions): Promise<PublicCertificate>;
}

/** Operations of `webhooks`. */
export interface WebhooksApi {
  /**
   * List the event types.
   *
   * Lists the event types that webhooks may list, each with the JSON Schema of its data and a
   * sample.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/webhooks/event-types`
   */
  listEventTypes(
    query?: ListWebhookEventTypesQuery,
    options?: CallOptions,
  ): Listing<EventTypeDescription>;

  /**
   * List webhooks.
   *
   * Lists the webhooks of the organization, without their secrets.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/webhooks`
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): Listing<Webhook>;

  /**
   * Create a webhook.
   *
   * Registers an address for events. The secret, which signs the deliveries, is returned only in
   * this response. An organization can have 100 webhooks; the next one is refused with 409.
   *
   * `POST /api/v1/webhooks`
   */
  create(body: NewWebhook, options?: KeyedCallOptions): Promise<IssuedWebhook>;

  /**
   * Get a webhook.
   *
   * Returns one webhook, without its secret. disabledAt and disabledReason are set when failing
   * deliveries have disabled it.
   *
   * `GET /api/v1/webhooks/{webhook_id}`
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;

  /**
   * Update, enable or disable a webhook.
   *
   * Changes the given members and keeps the others. A new address is checked as at creation; pending
   * deliveries of a deactivated webhook are held.
   *
   * `PATCH /api/v1/webhooks/{webhook_id}`
   */
  update(webhookId: string, body: WebhookChanges, options?: KeyedCallOptions): Promise<Webhook>;

  /**
   * Delete a webhook.
   *
   * Deletes the webhook with its deliveries, including pending ones.
   *
   * `DELETE /api/v1/webhooks/{webhook_id}`
   */
  delete(webhookId: string, options?: KeyedCallOptions): Promise<void>;

  /**
   * Replace the secret of a webhook.
   *
   * Issues a new secret, which is returned only in this response. For the overlap,
   * `webhook-signature` has a signature by each secret, and `X-Service-Signature` is made with the
   * new one. While 10 secrets sign, a further overlap is refused with 409.
   *
   * `POST /api/v1/webhooks/{webhook_id}/rotate-secret`
   */
  rotateSecret(
    webhookId: string,
    body?: SecretRotation,
    options?: KeyedCallOptions,
  ): Promise<RotatedWebhook>;

  /**
   * List the deliveries of a webhook.
   *
   * Lists the deliveries with their attempts. Deliveries are kept for 90 days. A page whose attempts
   * exceed 900,000 bytes has fewer deliveries: `limit` is then their number, and the next page
   * starts at `offset` plus `limit`.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/webhooks/{webhook_id}/deliveries`
   */
  listDeliveries(
    webhookId: string,
    query?: ListWebhookDeliveriesQuery,
    options?: CallOptions,
  ): Listing<Delivery>;

  /**
   * Send a test event.
   *
   * Sends the sample of an event type to this webhook alone, as a delivery with the header
   * `webhook-test: true`. It is sent and retried also while the webhook is off, and its failures
   * never disable the webhook.
   *
   * `POST /api/v1/webhooks/{webhook_id}/test`
   */
  test(webhookId: string, body?: WebhookTest, options?: KeyedCallOptions): Promise<Delivery>;

  /**
   * Get a delivery with its event.
   *
   * Returns one delivery with every attempt, the body that is sent, and the headers of the last
   * attempt, signatures included, without those of the connection.
   *
   * `GET /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}`
   */
  getDelivery(
    webhookId: string,
    deliveryId: string,
    options?: CallOptions,
  ): Promise<DeliveryDetail>;

  /**
   * Send a delivery again.
   *
   * Sends the same event again, whether the delivery is delivered, failed or held, and also while
   * the webhook is off. Attempts follow the retry schedule from its beginning and are added to those
   * of the delivery. While it is pending, or an attempt is in progress, the answer is 409.
   *
   * `POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`
   */
  redeliverDelivery(
    webhookId: string,
    deliveryId: string,
    options?: KeyedCallOptions,
  ): Promise<Delivery>;

  /**
   * Send events again.
   *
   * Sends every stored event of the time to this webhook, of the types that it lists or of some of
   * them, whether or not it had a delivery. Tests are left out, and pending deliveries stay as they
   * are. While the webhook is off, or another replay of it is running, the answer is 409.
   *
   * `POST /api/v1/webhooks/{webhook_id}/replay`
   */
  replay(
    webhookId: string,
    body: NewWebhookReplay,
    options?: KeyedCallOptions,
  ): Promise<WebhookReplay>;

  /**
   * Send failed and held deliveries again.
   *
   * Sends the deliveries that were created in the time and are failed or held, as a replay of the
   * kind `failed`. The answer is 409 in the same cases.
   *
   * `POST /api/v1/webhooks/{webhook_id}/recover`
   */
  recover(
    webhookId: string,
    body: NewWebhookRecovery,
    options?: KeyedCallOptions,
  ): Promise<WebhookReplay>;

  /**
   * List the replays of a webhook.
   *
   * Lists the replays with their progress. They are kept for 90 days.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/webhooks/{webhook_id}/replays`
   */
  listReplays(
    webhookId: string,
    query?: ListWebhookReplaysQuery,
    options?: CallOptions,
  ): Listing<WebhookReplay>;

  /**
   * Get the progress of a replay.
   *
   * Returns one replay. It is `completed` once every event was attempted; retries may follow. It is
   * `stopped` when the webhook was turned off meanwhile.
   *
   * `GET /api/v1/webhooks/{webhook_id}/replays/{replay_id}`
   */
  getReplay(webhookId: string, replayId: string, options?: CallOptions): Promise<WebhookReplay>;

  /**
   * Cancel a replay.
   *
   * Sends no further events. Deliveries that are pending already are sent. If the replay has ended,
   * the answer is 409.
   *
   * `POST /api/v1/webhooks/{webhook_id}/replays/{replay_id}/cancel`
   */
  cancelReplay(
    webhookId: string,
    replayId: string,
    options?: KeyedCallOptions,
  ): Promise<WebhookReplay>;

  /**
   * Get the statistics of a webhook.
   *
   * Counts the attempts of the last 24 hours, of the last 7 days and of each hour, with the share
   * that succeeded and their durations. The present hour counts as one; tests are left out.
   *
   * `GET /api/v1/webhooks/{webhook_id}/stats`
   */
  getStats(webhookId: string, options?: CallOptions): Promise<WebhookStats>;

  /**
   * List portal tokens.
   *
   * Lists the tokens that have not expired or been revoked, or those of them that a member made
   * (`memberId`). A token whose API key, session or member has ended is listed until it expires, and
   * is not valid.
   *
   * `await` it for a page, or `for await` each item.
   *
   * `GET /api/v1/webhooks/portal-tokens`
   */
  listPortalTokens(
    query?: ListWebhookPortalTokensQuery,
    options?: CallOptions,
  ): Listing<PortalToken>;

  /**
   * Create a portal token.
   *
   * Creates a token with which a customer manages webhooks of this organization: it is accepted by
   * the webhook operations with one of its capabilities (`x-scope`), and by no other. It ends when
   * it expires, is revoked, or the API key or session that made it ends.
   *
   * `POST /api/v1/webhooks/portal-tokens`
   */
  createPortalToken(body: NewPortalToken, options?: KeyedCallOptions): Promise<IssuedPortalToken>;

  /**
   * Revoke portal tokens.
   *
   * Ends every portal token of the organization, or only one (`id`), which is 404 when it is gone
   * already, or only those that a member made (`memberId`).
   *
   * `DELETE /api/v1/webhooks/portal-tokens`
   */
  revokePortalTokens(
    query?: RevokeWebhookPortalTokensQuery,
    options?: KeyedCallOptions,
  ): Promise<void>;
}

/** Operations of `whoami`. */
export interface WhoamiApi {
  /**
   * Get the caller.
   *
   * Returns the organization, the role and the plan of the credential of the request. It is served
   * wherever Probity is, so that a client can check its address and its credential.
   *
   * `GET /api/v1/whoami`
   */
  get(options?: CallOptions): Promise<Caller>;
}

/** Every operation of the API, by group. */
export interface ProbityApi {
  readonly alerts: AlertsApi;
  readonly auth: AuthApi;
  readonly compliance: ComplianceApi;
  readonly doors: DoorsApi;
  readonly events: EventsApi;
  readonly governance: GovernanceApi;
  readonly instances: InstancesApi;
  readonly integrations: IntegrationsApi;
  readonly invitations: InvitationsApi;
  readonly invoices: InvoicesApi;
  readonly knowledge: KnowledgeApi;
  readonly organizations: OrganizationsApi;
  readonly roles: RolesApi;
  readonly shield: ShieldApi;
  readonly status: StatusApi;
  readonly trust: TrustApi;
  readonly webhooks: WebhooksApi;
  readonly whoami: WhoamiApi;
}
