import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import type { DashboardState } from './use-dashboard-state.ts'

interface ClearSessionProps {
  readonly painel: DashboardState
  readonly onClose: () => void
}

export function ClearSessionDialog({ painel: { config, actions }, onClose }: ClearSessionProps) {
  const connection = config.config?.whatsapp.clientId ?? ''
  return (
    <ConfirmDialog
      open
      title={connection === '' ? 'Limpar a sessão do WhatsApp?' : `Limpar a sessão da conexão ${connection}?`}
      confirmLabel="Limpar sessão"
      onConfirm={actions.clear}
      onClose={onClose}
    >
      O bot para e esquece o celular conectado. Para voltar a atender, será preciso iniciar e escanear um novo QR Code.
    </ConfirmDialog>
  )
}
