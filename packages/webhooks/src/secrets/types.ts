/** A secret that another one has replaced; it signs beside the present one until it expires. */
export interface FormerSecret {
  /** `whs_…` */
  readonly id: string;
  readonly webhookId: string;
  /** Sealed for the purpose that `secretPurpose` returns for this id. */
  readonly sealedSecret: string;
  readonly expiresAt: Date;
}

/** The secrets of a webhook. */
export interface WebhookSecrets {
  /** The present one, sealed for the purpose that `secretPurpose` returns for the webhook's id. */
  readonly sealedSecret: string;
  /** By id, expired ones included until retention removes them. */
  readonly former: readonly FormerSecret[];
}
