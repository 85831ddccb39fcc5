/** Input for an incident; names as in the specification, "Integration set-up". */
export interface NewIncident {
  readonly short_description: string;
  readonly description?: string | undefined;
  readonly category?: string | undefined;
  readonly subcategory?: string | undefined;
  /** 1 (critical) to 5 (planning). */
  readonly priority?: number | undefined;
  /** 1 (high) to 3 (low). */
  readonly urgency?: number | undefined;
  /** 1 (high) to 3 (low). */
  readonly impact?: number | undefined;
}

/** An incident of an ITSM system. */
export interface Incident {
  /** The system's own id, `sys_id`. */
  readonly id: string;
  /** As people name it: `INC0010001`. */
  readonly number: string;
  /** Address of the incident for people. */
  readonly url: string;
}
