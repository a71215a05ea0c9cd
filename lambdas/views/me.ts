import {
  aliasesPerLink,
  linksPerPage,
  rulesPerLink,
  secretsAtOnce,
  tagsPerLink,
  variantsPerLink,
  type WorkspaceLimits,
  webhooksPerLink,
} from '../core/limits.ts';

/** The caller's key, as the authorizer found it. */
type Key = {
  readonly keyId: string;
  readonly keyName: string | null;
  readonly permissions: readonly string[];
  readonly expiresAt: string | undefined;
};

/** Limits that the stage sets. */
type StageLimits = {
  readonly linksPerBulkRequest: number;
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** How many days clicks and entries of the history are kept; 0 if there is no history. */
  readonly clickDays: number;
  readonly historyDays: number;
};

/** The caller as the API shows it: its workspace, its key, and the limits that apply to it. */
export const meView = (
  { id, name, createdAt }: { readonly id: string; readonly name: string; readonly createdAt: string },
  key: Key,
  left: WorkspaceLimits,
  stage: StageLimits,
) => ({
  workspace: { id, name, createdAt },
  key: { id: key.keyId, name: key.keyName, permissions: [...key.permissions], expiresAt: key.expiresAt ?? null },
  limits: {
    ...left,
    ...stage,
    linksPerPage: linksPerPage.most,
    tagsPerLink,
    aliasesPerLink,
    rulesPerLink,
    variantsPerLink: variantsPerLink.most,
    webhookUrlsPerLink: webhooksPerLink,
    secretsAtOnce,
  },
});
