import type { QueryClient } from '@tanstack/react-query';
import { waitOf } from '../service/failures.ts';
import { isRefusal, waitText } from '../service/patience.ts';
import { progressToast } from './toasts.tsx';

/** Says how long the page waits for a limit before it retries its queries. */
export function sayWaits(client: QueryClient): void {
  let until = 0;
  let shown: ReturnType<typeof progressToast> | undefined;
  const say = (): void => {
    const left = Math.ceil((until - Date.now()) / 1_000);
    if (left <= 0) {
      shown?.end();
      shown = undefined;
      return;
    }
    if (shown) shown.say(waitText(left));
    else shown = progressToast(waitText(left));
    setTimeout(say, 1_000);
  };
  client.getQueryCache().subscribe((event) => {
    // One of the retried refusals: after the last attempt, the screen shows the error.
    if (event.type !== 'updated' || event.action.type !== 'failed' || !isRefusal(event.action.error)) return;
    until = Math.max(until, Date.now() + waitOf(event.action.error) * 1_000);
    if (!shown) say();
  });
}
