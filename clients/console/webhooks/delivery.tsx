import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { isPageKey } from '../parts/keys.ts';
import { useChange } from '../parts/kit/change.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { counted, fullTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { patiently } from '../service/patience.ts';
import { queries, useMay } from '../service/queries.ts';
import { RedirectNote } from './redirect-note.tsx';
import { attemptText, isLate, lateText, wordsOfDelivery } from './words.ts';

type DeliveryDialogProps = {
  readonly id: string;
  readonly onClose: () => void;
  readonly onNewer: (() => void) | undefined;
  readonly onOlder: (() => void) | undefined;
  /** Shows only the deliveries of a link. */
  readonly onLink: (linkId: string) => void;
};

/** A delivery with its attempts and its body. The arrow keys go to the next ones, and `R` sends it again. */
export function DeliveryDialog({ id, onClose, onNewer, onOlder, onLink }: DeliveryDialogProps) {
  const delivery = useQuery({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) => (await api.GET('/api/v1/webhook-deliveries/{id}', { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? 3_000 : false),
  });
  const mayWrite = useMay('webhooks:write');
  const { isBusy, note, run } = useChange('webhooks:write');
  const again = () =>
    run(async (say) => {
      await patiently(() => api.POST('/api/v1/webhook-deliveries/{id}/redeliver', { params: { path: { id } } }), say);
      void queries.invalidateQueries({ queryKey: ['delivery', id] });
      void queries.invalidateQueries({ queryKey: ['deliveries'] });
      return { text: 'It is sent again.' };
    });
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: onNewer,
    ArrowRight: onOlder,
    r: mayWrite && !isBusy ? () => void again() : undefined,
  };
  const kept = useRef(keys);
  kept.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const go = kept.current[event.key];
      if (!go || event.defaultPrevented || !isPageKey(event)) return;
      event.preventDefault();
      go();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Dialog title={delivery.data?.type ?? 'Delivery'} onClose={onClose}>
      <div className="stack wide-gap">
        <p className="actions">
          <Button disabled={!onNewer} onClick={onNewer} aria-keyshortcuts="ArrowLeft">
            Newer
          </Button>
          <Button disabled={!onOlder} onClick={onOlder} aria-keyshortcuts="ArrowRight">
            Older
          </Button>
          {mayWrite && (
            <Button disabled={isBusy} onClick={again} aria-keyshortcuts="r">
              Send again
            </Button>
          )}
        </p>
        {note}
        <Loaded query={delivery} what="The delivery" permission="webhooks:read">
          {({ state, url, shortUrl, linkId, attempts, nextAttemptAt, body }) => {
            return (
              <>
                <Status {...wordsOfDelivery(state)}>
                  {nextAttemptAt &&
                    `, ${isLate({ state, nextAttemptAt }) ? 'due since' : 'next attempt'} ${fullTime(nextAttemptAt)}`}
                </Status>
                {isLate({ state, nextAttemptAt }) && <p className="small">{lateText}</p>}
                <p className="long">
                  To <bdi>{url}</bdi>
                </p>
                {linkId && (
                  <p className="long">
                    About <bdi className="mono">{shortUrl ? shortAddress(shortUrl) : linkId}</bdi>{' '}
                    <Button kind="link" onClick={() => onLink(linkId)}>
                      Only this link
                    </Button>
                  </p>
                )}
                <p className="long">
                  <bdi className="mono">{id}</bdi> <CopyButton text={id} what="id of the delivery" />
                </p>
                <h3>{attempts.length === 0 ? 'No attempt yet' : counted(attempts.length, 'attempt')}</h3>
                <ul className="problems">
                  {attempts.toReversed().map((attempt) => (
                    <li key={attempt.at}>
                      {fullTime(attempt.at)}: {attemptText(attempt)}, {attempt.ms} ms
                      {attempt.redirectsTo && <RedirectNote to={attempt.redirectsTo} />}
                      {attempt.response && <Scrolling name="Response">{attempt.response}</Scrolling>}
                    </li>
                  ))}
                </ul>
                <h3>
                  What is sent <CopyButton text={body} what="body" />
                </h3>
                <Scrolling name="Body">{readable(body)}</Scrolling>
              </>
            );
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}

/** Raw text. It can have the focus, so that the arrow keys scroll it. */
const Scrolling = ({ name, children }: { readonly name: string; readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and nothing in it takes the focus
  <section className="reply" tabIndex={0} aria-label={name}>
    {children}
  </section>
);

/** Pretty-prints JSON; other texts stay as they are. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
