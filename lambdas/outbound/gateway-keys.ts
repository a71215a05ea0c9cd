import { APIGatewayClient, GetApiKeysCommand } from '@aws-sdk/client-api-gateway';

/** The most keys that one call returns. */
const keysPerCall = 500;

/** How many gateway keys the account has in this region. Their values are not read. */
export async function countGatewayKeys(): Promise<number> {
  const gateway = new APIGatewayClient({ maxAttempts: 1 });
  let keys = 0;
  let position: string | undefined;
  do {
    const page = await gateway.send(new GetApiKeysCommand({ limit: keysPerCall, ...(position && { position }) }));
    keys += page.items?.length ?? 0;
    position = page.position;
  } while (position);
  return keys;
}
