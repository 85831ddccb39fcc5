/** A ~thing~ of an organization. */
export interface Thing {
  /** Identifier with the prefix `idp_`. */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Input for creating a ~thing~. */
export interface NewThing {
  readonly name: string;
}

/** Fields of an update; absent fields keep their values. */
export interface ThingChanges {
  readonly name?: string | undefined;
}
