import type { ReactNode } from 'react'
import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface LeaveUnsavedDialogProps {
  readonly guard: ReturnType<typeof useUnsavedGuard>
  readonly children: ReactNode
}

export function LeaveUnsavedDialog({ guard, children }: LeaveUnsavedDialogProps) {
  return (
    <ConfirmDialog
      open={guard.perguntando}
      title="Sair sem salvar?"
      confirmLabel="Sair sem salvar"
      cancelLabel="Continuar editando"
      onConfirm={guard.sair}
      onClose={guard.ficar}
    >
      {children}
    </ConfirmDialog>
  )
}
