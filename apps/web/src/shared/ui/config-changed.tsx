import { ConfirmDialog } from './confirm-dialog.tsx'

export interface ConfigChangedProps {
  readonly open: boolean
  readonly onReload: () => void | Promise<void>
  readonly onClose: () => void
}

export function ConfigChanged({ open, onReload, onClose }: ConfigChangedProps) {
  return (
    <ConfirmDialog
      open={open}
      title="A configuração mudou em outra janela"
      confirmLabel="Recarregar e perder minhas alterações"
      cancelLabel="Continuar editando"
      onConfirm={onReload}
      onClose={onClose}
    >
      Alguém salvou a configuração depois que você começou a editar. Para não apagar o que foi salvo, recarregue antes
      de continuar.
    </ConfirmDialog>
  )
}
