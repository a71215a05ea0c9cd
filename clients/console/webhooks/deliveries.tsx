import { type KeyboardEvent, useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { isPageKey } from '../parts/keys.ts';
import { Chip } from '../parts/kit/chip.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Empty } from '../parts/kit/list.tsx';
import { Select } from '../parts/kit/select.tsx';
import { Status } from '../parts/kit/status.tsx';
import { fullTime, shortTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { go, useAddress } from '../service/location.ts';
import { usePages } from '../service/pages.ts';
import { queries } from '../service/queries.ts';
import type { Delivery } from '../service/types.ts';
import { DeliveryDialog } from './delivery.tsx';
import {
  attemptText,
  deliveryStates,
  isLate,
  keptDays,
  type LastAttempt,
  lastAttemptOf,
  lateText,
  nextText,
  wordsOfDelivery,
} from './words.ts';

export const refreshDeliveries = (): void => void queries.invalidateQueries({ queryKey: ['deliveries'] });

/** How often the list is read again while something is on its way. */
export const watchMs = 3_000;
const pageSize = 25;

type Filter = { readonly state: Delivery['state'] | undefined; readonly linkId: string | undefined };

const filterOf = (query: string): Filter => {
  const found = new URLSearchParams(query);
  const linkId = found.get('link') ?? '';
  return {
    state: deliveryStates.find((state) => state === found.get('state')),
    linkId: /^lnk_\w+$/.test(linkId) ? linkId : undefined,
  };
};

function setFilter({ state, linkId }: Filter): void {
  const query = new URLSearchParams();
  if (state) query.set('state', state);
  if (linkId) query.set('link', linkId);
  go({ query: query.toString() });
}

/** Deliveries, newest first. While one of the newest is on its way, the list is read again. */
const useDeliveries = (webhookId: string | undefined, { state, linkId }: Filter) =>
  usePages(
    ['deliveries', webhookId, state, linkId],
    async (cursor, signal) => {
      const query = {
        limit: pageSize,
        ...(webhookId !== undefined && { webhookId }),
        ...(state && { state }),
        ...(linkId && { linkId }),
        ...(cursor && { cursor }),
      };
      return (await api.GET('/api/v1/webhook-deliveries', { params: { query }, signal })).data;
    },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.pages.length === 1 && data.pages[0]?.deliveries.some((one) => one.state === 'pending') ? watchMs : false,
    },
  );

/** The last attempt among the newest deliveries of a webhook; undefined until they are loaded. */
export function useLastAttempt(webhookId: string): LastAttempt | undefined {
  const [newest] = useDeliveries(webhookId, { state: undefined, linkId: undefined }).data?.pages ?? [];
  return newest && lastAttemptOf(newest.deliveries);
}

/**
 * The deliveries of a webhook, or of all webhooks including those of links, newest first. The filter is in the address.
 */
export function Deliveries({ webhookId }: { readonly webhookId: string | undefined }) {
  const filter = filterOf(useAddress().query);
  const { state, linkId } = filter;
  const [openId, open] = useState<string>();
  const list = useDeliveries(webhookId, filter);
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const at = deliveries.findIndex(({ id }) => id === openId);
  const opened = deliveries[at];
  const isFiltered = state !== undefined || linkId !== undefined;
  return (
    <section className="stack" aria-label="Deliveries">
      <div className="screen-head">
        <h2>Deliveries</h2>
        <div className="actions">
          <Select
            aria-label="State"
            value={state ?? ''}
            options={[['', 'Any state'], ...deliveryStates.map((one) => [one, wordsOfDelivery(one).word] as const)]}
            onChoose={(one) => setFilter({ ...filter, state: one || undefined })}
          />
          {linkId && (
            <Chip remove="Show the deliveries of all links" onRemove={() => setFilter({ ...filter, linkId: undefined })}>
              {shortAddress(deliveries.find((one) => one.linkId === linkId && one.shortUrl)?.shortUrl ?? linkId)}
            </Chip>
          )}
        </div>
      </div>
      {list.error && (
        <FailureNote
          error={list.error}
          what="The deliveries could not be loaded."
          permission="webhooks:read"
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && deliveries.length === 0 && !list.hasNextPage && (
        <Empty text={isFiltered ? 'No deliveries match.' : `Nothing was sent in the last ${keptDays} days.`}>
          {isFiltered && <Button onClick={() => setFilter({ state: undefined, linkId: undefined })}>Show all deliveries</Button>}
        </Empty>
      )}
      {deliveries.some((one) => isLate(one)) && <p className="small">{lateText}</p>}
      <ul className="entries" onKeyDown={moveInList}>
        {deliveries.map((delivery) => (
          <DeliveryEntry
            key={delivery.id}
            delivery={delivery}
            isOfAll={webhookId === undefined}
            onOpen={() => open(delivery.id)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <p>
          <Button disabled={list.isFetching} onClick={list.fetchNextPage}>
            {list.isFetching ? 'Loading…' : 'Load older deliveries'}
          </Button>
        </p>
      )}
      {opened && (
        <DeliveryDialog
          key={opened.id}
          id={opened.id}
          onClose={() => open(undefined)}
          onNewer={at > 0 ? () => open(deliveries[at - 1]?.id) : undefined}
          onOlder={at < deliveries.length - 1 ? () => open(deliveries[at + 1]?.id) : undefined}
          onLink={(link) => {
            open(undefined);
            setFilter({ ...filter, linkId: link });
          }}
        />
      )}
    </section>
  );
}

/** The arrow keys move in the list. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !isPageKey(event.nativeEvent)) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

type DeliveryEntryProps = { readonly delivery: Delivery; readonly isOfAll: boolean; readonly onOpen: () => void };

function DeliveryEntry({ delivery, isOfAll, onOpen }: DeliveryEntryProps) {
  const { type, shortUrl, url, state, attempts, nextAttemptAt, createdAt } = delivery;
  const last = attempts.at(-1);
  const about = shortUrl ? shortAddress(shortUrl) : 'no link';
  return (
    <Entry
      before={
        <span className="fixed">
          <Status {...wordsOfDelivery(state)} />
        </span>
      }
      side={
        <>
          {last && <span>{attemptText(last)}</span>}
          {attempts.length > 1 && <span>{attempts.length} attempts</span>}
          <span>{state === 'pending' && nextAttemptAt ? nextText(nextAttemptAt) : shortTime(createdAt)}</span>
        </>
      }
      sideClass="small"
      sideTitle={fullTime(createdAt)}
    >
      <Button
        kind="link"
        className="start cut"
        aria-label={`${type}, ${about}, ${fullTime(createdAt, 'medium')}`}
        onClick={onOpen}
      >
        {type}
      </Button>
      <bdi className="small cut">
        {about}
        {isOfAll && ` to ${url}`}
      </bdi>
    </Entry>
  );
}
