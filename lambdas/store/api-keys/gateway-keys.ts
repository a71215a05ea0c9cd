import type { GatewayKeys } from '../../core/key/api-key.ts';
import type { Item } from '../table/client.ts';
import { maybeText, text } from '../table/fields.ts';

/** The gateway keys in the item of a workspace or of an API key. */
export function gatewayKeysIn(item: Item): GatewayKeys {
  const until = maybeText(item, 'liftedUntil');
  return {
    gatewayKey: text(item, 'gatewayKey'),
    ...(until !== undefined && { lifted: { gatewayKey: text(item, 'liftedGatewayKey'), until } }),
  };
}

/** The attributes of gateway keys in an item. They are flat, which takes less code to read in the authorizer. */
export const gatewayKeyAttributes = ({ gatewayKey, lifted }: GatewayKeys): Item => ({
  gatewayKey,
  ...(lifted && { liftedGatewayKey: lifted.gatewayKey, liftedUntil: lifted.until }),
});
