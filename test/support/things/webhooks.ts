import { callEndpoint, type EndpointCall } from '../http/invoke.ts';
import type { Store } from '../store/store.ts';

type More = Omit<EndpointCall, 'workspaceId'>;

/** A workspace, and the endpoints of its webhooks. */
export async function newHookedWorkspace(store: Store) {
  const { workspaceId, domain } = await store.newWorkspace();
  const calling = (name: string) => (more: More) => callEndpoint(name, { workspaceId, ...more });
  const endpoints = {
    create: calling('create-webhook'),
    list: calling('list-webhooks'),
    get: calling('get-webhook'),
    update: calling('update-webhook'),
    remove: calling('delete-webhook'),
    rotate: calling('create-webhook-secret'),
    listSecrets: calling('list-webhook-secrets'),
    end: calling('delete-webhook-secret'),
  };
  /** A webhook as the API shows it, and its secret. */
  const newWebhook = async (events: readonly string[] = ['link.created']) => {
    const { body } = await endpoints.create({ body: { url: 'https://hooks.example.com/', events } });
    const { secret, ...webhook } = body;
    return { webhook, secret: String(secret) };
  };
  const valid = (webhookId: string | null) => store.validSecrets(workspaceId, webhookId, Date.now());
  return { workspaceId, host: domain.host, ...endpoints, newWebhook, valid };
}
