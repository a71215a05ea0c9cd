/** How far a domain has come. In the first state it is claimed only, and is nobody's yet. */
export const domainStatuses = ['PENDING_OWNERSHIP', 'PENDING_DNS', 'ACTIVE'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A domain whose ownership is proven. */
export type Domain = {
  readonly host: string;
  /** Fresh for each proof of ownership. */
  readonly domainId: string;
  readonly workspaceId: string;
  readonly status: Exclude<DomainStatus, 'PENDING_OWNERSHIP'>;
  readonly createdAt: string;
};
