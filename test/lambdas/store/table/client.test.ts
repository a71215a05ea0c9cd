import { describe, expect, test } from 'vitest';
import { withDeadline } from '../../../../lambdas/runtime/deadline.ts';
import { call } from '../../../../lambdas/store/table/client.ts';

/** A deadline that no test reaches, however busy the machine is, in milliseconds. */
const minute = 60_000;

describe('a call', () => {
  test.for(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'])(
    'A network error is transient: %s.',
    async (code) => {
      let attempts = 0;
      const response = await call(async () => {
        if (++attempts === 1) throw Object.assign(new Error('no connection'), { code });
        return 'answer';
      });
      expect([response, attempts]).toEqual(['answer', 2]);
    },
  );

  test('A bug in the program is not retried.', async () => {
    let attempts = 0;
    const calling = call(async () => {
      attempts++;
      throw Object.assign(new Error('no header'), { code: 'ERR_INVALID_CHAR' });
    });
    await expect(calling).rejects.toThrow('no header');
    expect(attempts).toBe(1);
  });

  test('An attempt takes no longer than its limit, even before a later deadline, so that another one is possible.', async () => {
    const given: number[] = [];
    const response = await withDeadline(
      minute,
      () =>
        withDeadline(minute, () =>
          call(async ({ timeLeft }) => {
            given.push(timeLeft);
            if (given.length === 1) throw Object.assign(new Error('aborted'), { name: 'AbortError' });
            return 'answer';
          }),
        ),
      400,
    );
    expect(response).toBe('answer');
    expect(given).toEqual([400, 400]);
  });

  const refused = (name: string) => Object.assign(new Error('refused'), { name });

  test.for(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'])(
    'After %s, a call of work that does not wait for busy tables is not retried, and the work is notified.',
    async (name) => {
      const given: number[] = [];
      let told = 0;
      const calling = withDeadline(
        minute,
        () =>
          call(async ({ timeLeft }) => {
            given.push(timeLeft);
            throw refused(given.length === 1 ? 'TimeoutError' : name);
          }),
        400,
        () => told++,
      );
      await expect(calling).rejects.toMatchObject({ code: 'temporarily_unavailable' });
      expect([given, told]).toEqual([[400, 400], 1]);
    },
  );

  test('After a refusal of a wrong clock, the call is signed again and retried.', async () => {
    let attempts = 0;
    const calling = withDeadline(
      minute,
      () =>
        call(async () => {
          if (++attempts < 4) throw refused('InvalidSignatureException');
          return 'answer';
        }),
      400,
      () => expect.fail('no busy table'),
    );
    expect([await calling, attempts]).toEqual(['answer', 4]);
  });
});
