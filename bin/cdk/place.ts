import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { lacking, lineOf } from '../shared/line-of.ts';
import type { Aws } from '../shared/stacks.ts';

/**
 * Where a command works, and with whose rights. The account is unknown if nobody may ask whose credentials they are.
 */
export type Place = { readonly region: string; readonly account?: string; readonly arn?: string };

/**
 * Finds out where a command would work.
 *
 * @throws Error with one line for the operator if there is no region (the CDK would use us-east-1) or no valid
 * credentials.
 */
export async function placeOf(aws: Aws): Promise<Place> {
  const client = new STSClient(aws);
  const region = await client.config.region().catch((error: Error) => {
    throw new Error(lineOf(error));
  });
  try {
    const { Account: account, Arn: arn } = await client.send(new GetCallerIdentityCommand());
    return { region, ...(account && { account }), ...(arn && { arn }) };
  } catch (error) {
    // Everybody may ask, unless a policy of the organisation denies it.
    if ((error as Error).name.startsWith('AccessDenied')) return { region };
    throw new Error(lacking(error as Error) ?? `cannot use AWS with these credentials: ${lineOf(error as Error)}`);
  }
}

/** A place in words. */
export const describePlace = ({ region, account, arn }: Place): string =>
  `${account ?? 'an unknown account'} in ${region}${arn ? `, as ${arn}` : ''}`;
