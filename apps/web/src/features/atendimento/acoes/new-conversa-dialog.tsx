import type { Setor } from '@balcao/contract/entities/config'
import { WriteDialog } from '#shared/write/write-dialog.tsx'
import { useShowConversa, useShowOpened } from './opened-conversa.ts'

interface NewConversaDialogProps {
  readonly setores: readonly Setor[]
  readonly onClose: () => void
}

export function NewConversaDialog(props: NewConversaDialogProps) {
  return <WriteDialog contato={null} onOpened={useShowOpened()} onShow={useShowConversa()} {...props} />
}
