import { type FormEvent, lazy, useEffect, useRef, useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { useChange } from '../parts/kit/change.tsx';
import { Select } from '../parts/kit/select.tsx';
import { LoadedLater } from '../parts/loaded.tsx';
import { toast } from '../parts/toasts.tsx';
import { addressIn, completed, readPasted } from '../service/destination.ts';
import { SaidError } from '../service/failures.ts';
import { go, useAddress } from '../service/location.ts';
import { createLink, keepDomain, type PageCard, pageCard, servedOf, usualDomain } from '../service/new-links.ts';
import { importPasted } from '../service/pasted.ts';
import type { Say } from '../service/patience.ts';
import { useDomains, useMay } from '../service/queries.ts';
import type { Tagged } from '../service/settings.ts';
import type { Link } from '../service/types.ts';

/**
 * Loaded after the first screen, so that it is there when somebody makes a link, even if a deployment has replaced the
 * files.
 */
const loadCreated = async () => ({ default: (await import('./created.tsx')).Created });
const Created = lazy(loadCreated);

/** How long Enter waits for the page's title. A later one is offered. */
const cardWaitMs = 700;

/** The request for a destination's page card, which starts when its address is pasted. */
type Look = { readonly url: string; readonly card: Promise<PageCard | undefined>; readonly stop: () => void };

type Made = Tagged<Link> & {
  readonly isCopied: boolean;
  /** The page card, if it came too late for the link. */
  readonly late: Promise<PageCard | undefined> | undefined;
};

const noDomain = new SaidError('Short links need a domain. Add one under Domains.');
const noAddress = new SaidError('Enter an address that starts with https://.');

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));

/** The field that is always there, for everyone who may make links. */
export const CreateBar = () => (useMay('links:write') ? <Bar /> : null);

/** Paste a long address, press Enter, and its short link is made and copied. */
function Bar() {
  const domains = useDomains();
  const [domain, setDomain] = useState('');
  const [url, setUrl] = useState('');
  const change = useChange('links:write');
  const [made, setMade] = useState<Made>();
  const field = useRef<HTMLInputElement>(null);
  const look = useRef<Look>(undefined);
  const attempt = useRef<{ readonly domain: string; readonly url: string } & PageCard>(undefined);
  const served = servedOf(domains.data);
  const choose = (of: typeof served) => of.find((one) => one.domain === domain)?.domain ?? usualDomain(of);
  const chosen = choose(served);
  const whole = addressIn(url);
  const { screen } = useAddress();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen does not show the error
  useEffect(() => change.forget(), [screen]);

  const lookAt = (text: string) => {
    const address = addressIn(text);
    if (address === undefined || look.current?.url === address) return;
    look.current?.stop();
    const stopped = new AbortController();
    look.current = { url: address, card: pageCard(address, stopped.signal), stop: () => stopped.abort() };
  };
  usePageKeys({
    n: () => {
      setMade(undefined);
      field.current?.focus();
      field.current?.select();
    },
  });
  usePasteAnywhere((text) => {
    setUrl(text);
    change.forget();
    field.current?.focus();
    lookAt(text);
  });
  /** Makes the link. Title and picture are the page's if it responds in time. */
  const make = async (destination: string, on: string, say: Say): Promise<Omit<Made, 'isCopied'>> => {
    const card = look.current?.url === destination ? look.current.card : undefined;
    const inTime = card && (await Promise.race([card, later(cardWaitMs)]));
    const { current: before } = attempt;
    // Pressing Enter again after a failure repeats the same request, even if the page card has arrived by now.
    const isSame = before?.domain === on && before.url === destination;
    const body = isSame ? before : { domain: on, url: destination, ...inTime };
    attempt.current = body;
    const version = await createLink(body, say);
    attempt.current = undefined;
    return { ...version, late: inTime === undefined ? card : undefined };
  };

  /** The chosen domain. If somebody is faster than the list of domains, they wait for it. */
  const domainForNew = async (): Promise<string> => {
    const on =
      chosen ?? choose(servedOf(domains.data ?? (await domains.refetch({ cancelRefetch: false, throwOnError: true })).data));
    if (on === undefined) throw noDomain;
    return on;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (change.isBusy) return;
    setMade(undefined);
    const isMade = await change.run(async (say) => {
      const destination = addressIn(url);
      if (destination === undefined) throw noAddress;
      setUrl(destination);
      const making = domainForNew().then((on) => make(destination, on, say));
      // Loads the component that shows the link meanwhile.
      loadCreated().catch(() => {});
      // Must start in the key press: otherwise Safari refuses it.
      const copying = copyText(making.then(({ value }) => value.shortUrl));
      const version = await making;
      const isCopied = await copying;
      setMade({ ...version, isCopied });
      setUrl('');
      announce(isCopied ? `Link created and copied: ${version.value.shortUrl}` : `Link created: ${version.value.shortUrl}`);
      return {};
    });
    if (!isMade) field.current?.focus();
  };
  const { failure, said } = change;
  const wrong = failure?.fields.url ? `The address ${failure.fields.url}.` : failure?.text;

  return (
    <section className="create" aria-label="New link">
      <form className="create-bar" onSubmit={(event) => void submit(event)} noValidate>
        <input
          ref={field}
          type="url"
          inputMode="url"
          aria-label="Long address"
          placeholder="Paste a long address"
          autoComplete="off"
          spellCheck={false}
          value={url}
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby="create-wrong create-whole"
          onChange={(event) => {
            setUrl(event.target.value);
            change.forget();
          }}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            lookAt(text);
            // The field would join them to one address without line breaks.
            if (readPasted(text)?.kind !== 'several') return;
            event.preventDefault();
            importPasted(text);
          }}
        />
        {served.length > 1 && (
          <Select
            aria-label="Domain of the new link"
            value={chosen}
            options={served.map((one) => [one.domain, one.domain])}
            onChoose={(one) => {
              setDomain(one);
              keepDomain(one);
            }}
          />
        )}
        <Button kind="primary" isSubmit disabled={change.isBusy}>
          Shorten
        </Button>
        <Button
          className="more"
          aria-label="More options for the new link"
          onClick={() => {
            go({ screen: 'new', linkId: undefined, item: undefined, url: completed(url) || undefined });
            setUrl('');
            setMade(undefined);
          }}
        >
          <span className="wide-only">More options</span>
          <span className="phone-only">
            <Icon name="more" />
          </span>
        </Button>
      </form>
      <div className="create-below">
        <p id="create-wrong" className="field-error" role="alert">
          {wrong && (
            <>
              <Icon name="alert" /> {wrong}
            </>
          )}
        </p>
        <p id="create-whole" className="small long">
          {whole !== undefined && whole !== trimmed(url) && (
            <>
              Leads to <bdi>{whole}</bdi>
            </>
          )}
        </p>
        {said !== '' && (
          <p className="small" role="status">
            {said}
          </p>
        )}
        <LoadedLater>
          {made && (
            <Created
              key={made.value.id}
              {...made}
              onClose={() => setMade(undefined)}
              onAnother={() => {
                setMade(undefined);
                field.current?.focus();
              }}
            />
          )}
        </LoadedLater>
      </div>
    </section>
  );
}

/** Accepts one or more addresses that are pasted anywhere outside of fields, and says why it refuses anything else. */
function usePasteAnywhere(take: (text: string) => void): void {
  const kept = useRef(take);
  kept.current = take;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const isInField = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
      const text = event.clipboardData?.getData('text') ?? '';
      const pasted = readPasted(text);
      if (isInField || pasted === undefined || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (pasted.kind === 'address') kept.current(pasted.url);
      else if (pasted.kind === 'several') importPasted(text);
      else toast('What you pasted is not a web address, so no link was made.');
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
