import type { QueryClient } from '@tanstack/react-query';
import { onLinkNews } from './links.ts';

/** When the history is asked again after a change, which it has after two seconds, or after some more. */
const pausesMs = [1_500, 4_000, 10_000];

/** Shows changes that the page has made in the history, once the history has them. */
export function followHistory(client: QueryClient): void {
  onLinkNews(() => {
    for (const pause of pausesMs) {
      setTimeout(() => {
        void client.invalidateQueries({ queryKey: ['history'] });
        void client.invalidateQueries({ queryKey: ['last change'] });
      }, pause);
    }
  });
}
