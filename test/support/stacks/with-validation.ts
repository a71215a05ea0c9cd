/** Synthesises with or without CloudFormation's validator. */
export function withValidation<T>(validated: boolean, work: () => T): T {
  const { CDK_VALIDATION: before } = process.env;
  process.env.CDK_VALIDATION = String(validated);
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env.CDK_VALIDATION;
    else process.env.CDK_VALIDATION = before;
  }
}
