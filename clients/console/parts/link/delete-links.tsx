import type { Link } from '../../service/types.ts';
import { shortAddress } from '../actions.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Foot } from '../kit/form-dialog.tsx';
import { count, counted } from '../time.ts';

type DeleteLinksProps = {
  readonly links: readonly Pick<Link, 'shortUrl' | 'hasPassword'>[];
  readonly onClose: () => void;
  readonly onDelete: () => void;
};

/** Asks before links are deleted, and says what that means and what Undo can do. */
export function DeleteLinks({ links, onClose, onDelete }: DeleteLinksProps) {
  const [only] = links;
  const isOne = links.length === 1 && only !== undefined;
  const what = isOne ? shortAddress(only.shortUrl) : counted(links.length, 'link');
  const secret = links.filter(({ hasPassword }) => hasPassword).length;
  return (
    <Dialog title={`Delete ${what}?`} onClose={onClose}>
      <p>
        {isOne
          ? 'Its address stops working now. You can bring it back as long as nobody else takes the address. Its clicks start again at 0.'
          : 'Their addresses stop working now. You can bring them back as long as nobody else takes the addresses. Their clicks start again at 0.'}
        {secret > 0 &&
          (isOne
            ? ' It has a password: it returns switched off.'
            : secret === 1
              ? ' 1 has a password: it returns switched off.'
              : ` ${count(secret)} have a password: they return switched off.`)}
      </p>
      <Foot onClose={onClose} keep="Keep">
        <Button kind="bad" onClick={onDelete}>
          Delete {isOne ? 'link' : counted(links.length, 'link')}
        </Button>
      </Foot>
    </Dialog>
  );
}
