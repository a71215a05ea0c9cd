import { afterAll } from 'vitest';
import { type AwsCalls, startAwsApi } from '../../../local/aws-api.ts';

/** The calls of functions to Lambda and EventBridge. */
export type AskedOfAws = {
  readonly invoked: { functionName: string; payload: unknown }[];
  isScheduleOn: boolean;
  /** How many of the next calls fail. */
  refusals: number;
};

/**
 * Lets functions in this process call Lambda and EventBridge as the local host answers them, until the tests of the file
 * end.
 *
 * @param domains what else is answered for managed domains.
 */
export async function useAws(domains?: Pick<AwsCalls, 'forDomains' | 'invoke'>): Promise<AskedOfAws> {
  const asked: AskedOfAws = { invoked: [], isScheduleOn: false, refusals: 0 };
  const api = await startAwsApi();
  afterAll(() => api.stop());
  const refuse = () => {
    if (asked.refusals-- > 0) throw new Error('refused');
  };
  api.serve({
    invokeLater: (functionName, payload) => {
      refuse();
      asked.invoked.push({ functionName, payload: JSON.parse(payload) });
    },
    setRuleEnabled: (rule, isEnabled) => {
      refuse();
      if (rule === 'sealing' || (domains && rule === 'certificates')) return;
      if (rule !== 'senders') throw new Error(`no rule ${rule}`);
      asked.isScheduleOn = isEnabled;
    },
    ...domains,
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: api.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: api.endpoint,
    SENDER_FUNCTION: 'send-webhooks',
    SENDER_SCHEDULE: 'senders',
    WEBHOOK_SENDERS: '10',
    ...(domains && { AWS_ENDPOINT_URL_ACM: api.endpoint, AWS_ENDPOINT_URL_APIGATEWAYV2: api.endpoint }),
  });
  return asked;
}
