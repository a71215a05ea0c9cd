import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { nothingKnown } from '../../../lambdas/core/click/click.ts';
import type { ClickRow } from '../../../lambdas/core/click/row.ts';
import { newClickId } from '../../../lambdas/core/ids.ts';

let made = 0;

/** A row of a click of any link. Sequence numbers grow, and are as long as on AWS. */
export const newRow = (fields: Partial<ClickRow> = {}): ClickRow => ({
  ...nothingKnown,
  id: newClickId(),
  at: '2030-01-02T03:04:05.678Z',
  linkId: `lnk_${randomBase62(28)}`,
  host: 'go.example.com',
  epoch: 0,
  shard: 'AbCdEfGhIjK',
  sequenceNumber: String(400_000_000_000_000_000_000n + BigInt(++made)),
  ...fields,
});
