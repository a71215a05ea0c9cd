/**
 * What an operator lacks to call AWS at all, if an error of its SDK says so. The SDK has no error classes for these.
 */
export function lacking({ message }: Error): string | undefined {
  if (message === 'Region is missing') return 'no region: set it, as in: export AWS_REGION=eu-central-1';
  if (message.startsWith('Could not load credentials'))
    return 'no AWS credentials: sign in, as with "aws sso login", or set AWS_PROFILE';
  return undefined;
}

/** An error in one line, for the operator. */
export const lineOf = (error: Error): string => lacking(error) ?? error.message.split('\n')[0] ?? '';
