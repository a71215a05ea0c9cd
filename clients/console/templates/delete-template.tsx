import { Confirm } from '../parts/kit/confirm.tsx';
import type { Made } from '../service/changes.ts';
import type { Say } from '../service/patience.ts';
import { mayUndo } from '../service/queries.ts';
import { templateAt } from '../service/resources.ts';
import type { Template } from '../service/types.ts';

type DeleteTemplateProps = { readonly template: Template; readonly onClose: () => void };

export const DeleteTemplate = ({ template, onClose }: DeleteTemplateProps) => {
  const { id, name } = template;
  const undoOf = (made: Made) => async (say: Say) => {
    await (await import('../service/made.ts')).undoTemplate(made, id, say);
    return { text: `The template ${name} is back.` };
  };
  return (
    <Confirm
      title={`Delete the template ${name}?`}
      action="Delete template"
      permission="tags:write"
      onClose={onClose}
      run={async (say) => {
        const made = await templateAt(id).remove(say);
        return { text: `The template ${name} is deleted.`, undo: made && mayUndo() ? undoOf(made) : undefined };
      }}
    >
      <p>Links that were made with it stay as they are.</p>
    </Confirm>
  );
};
