import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { ConfigChanged } from '#shared/ui/config-changed.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import type { MenuEditorState } from './use-menu-editor.ts'

export function EditorQuestions({
  editor,
  guard,
}: {
  editor: MenuEditorState
  guard: ReturnType<typeof useUnsavedGuard>
}) {
  return (
    <>
      <LeaveUnsavedDialog guard={guard}>
        As alterações do menu ainda não foram salvas e serão perdidas.
      </LeaveUnsavedDialog>
      <ConfigChanged open={editor.conflict} onReload={editor.acceptServer} onClose={editor.closeConflict} />
    </>
  )
}
