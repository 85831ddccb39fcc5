/** A ~thing~ of an organization. */
export interface Thing {
  /** `idp_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A new ~thing~, before it is one. */
export interface NewThing {
  readonly name: string;
}

/** The changes of an update; absent members stay as they are. */
export interface ThingChanges {
  readonly name?: string | undefined;
}
