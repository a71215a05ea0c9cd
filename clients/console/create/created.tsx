import { lazy, useEffect, useState } from 'react';
import { carryOut, removeLink, shortAddress } from '../parts/actions.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CopyButton, SelectedText } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { useEscape } from '../parts/keys.ts';
import { CodeActions } from '../parts/link/code-actions.tsx';
import { QrImage } from '../parts/link/qr.tsx';
import { LoadedLater } from '../parts/loaded.tsx';
import { linkAt } from '../service/links.ts';
import { go } from '../service/location.ts';
import type { PageCard } from '../service/new-links.ts';
import { untilAnswered } from '../service/patience.ts';
import type { Tagged } from '../service/settings.ts';
import type { Link } from '../service/types.ts';

const QrDialog = lazy(async () => ({ default: (await import('../parts/link/qr-dialog.tsx')).QrDialog }));

type CreatedProps = Tagged<Link> & {
  readonly isCopied: boolean;
  readonly late: Promise<PageCard | undefined> | undefined;
  readonly onClose: () => void;
  readonly onAnother: () => void;
};

/** The link that was just made. */
export function Created({ value: link, etag, isCopied, late, onClose, onAnother }: CreatedProps) {
  const name = shortAddress(link.shortUrl);
  const [offer, setOffer] = useState<PageCard>();
  useEffect(() => {
    let isGone = false;
    void late?.then((card) => {
      if (!isGone) setOffer(card);
    });
    return () => {
      isGone = true;
    };
  }, [late]);
  const [isChanging, change] = useState(false);
  useEscape(onClose, true, 'beside');
  const undo = async () => {
    if (await removeLink(link, etag)) onClose();
  };
  return (
    <div className="created">
      <QrImage id={link.id} name={name} width={112} />
      <div className="created-text">
        <p className="created-head">
          <Icon name="check" /> {isCopied ? 'Link created and copied' : 'Link created'}
        </p>
        <p className="created-link">
          <a href={link.shortUrl} target="_blank" rel="noopener noreferrer" className="mono">
            <bdi>{name}</bdi>
          </a>
          <CopyButton text={link.shortUrl} what="short link" />
        </p>
        {!isCopied && <SelectedText text={link.shortUrl} />}
        <p className="small cut">
          → <bdi>{shortAddress(link.url)}</bdi>
        </p>
        {offer?.title && (
          <p className="small">
            Page title “<bdi>{offer.title}</bdi>”{' '}
            <Button
              kind="link"
              onClick={() => {
                setOffer(undefined);
                void carryOut(async (say) => {
                  await untilAnswered(() => linkAt(link.id).patch(offer), say);
                  return {};
                }, 'links:write');
              }}
            >
              Use it
            </Button>
          </p>
        )}
        <p className="actions">
          <Button
            onClick={() => {
              go({ screen: 'links', linkId: link.id, isEditing: true });
              onClose();
            }}
          >
            Edit
          </Button>
          <Button onClick={onAnother}>Shorten another</Button>
          <Button onClick={undo}>Undo</Button>
        </p>
        <CodeActions link={link} onChangeLook={() => change(true)} />
      </div>
      {isChanging && (
        <LoadedLater>
          <QrDialog link={link} onClose={() => change(false)} />
        </LoadedLater>
      )}
      <IconButton icon="close" label="Close" onClick={onClose} />
    </div>
  );
}
