import { CONNECTORS } from '@balcao/contract/connectors'
import type { Setor } from '@balcao/contract/entities/config'
import type { Linha } from '@balcao/contract/entities/linha'
import { lazy, Suspense } from 'react'
import { EditLinhaDialog, NewLinhaDialog } from './linha-dialog.tsx'
import type { OpenLinhaDialog } from './linha-card.tsx'
import { DeleteLinha, MakeMain } from './remove-linha.tsx'

const WebchatDialog = lazy(async () => ({ default: (await import('./webchat/webchat-dialog.tsx')).WebchatDialog }))
const OficialDialog = lazy(async () => ({
  default: (await import('#features/geral/configuracao/oficial-api.tsx')).OficialDialog,
}))

interface LinhaDialogsProps {
  readonly dialog: OpenLinhaDialog
  readonly linhas: readonly Linha[]
  readonly setores: readonly Setor[]
  readonly onDialog: (dialog: OpenLinhaDialog | null) => void
}

/** A new line of these kinds needs more data before a customer can write. */
function nextDialog({ id, conector }: Linha): OpenLinhaDialog | null {
  const { pairing } = CONNECTORS[conector]
  if (pairing === 'site') return { act: 'chat', id }
  return pairing === 'none' ? { act: 'chaves', id } : null
}

export function LinhaDialogs({ dialog, linhas, setores, onDialog }: LinhaDialogsProps) {
  const close = (): void => onDialog(null)
  if (dialog.act === 'criar')
    return <NewLinhaDialog setores={setores} onCreated={(linha) => onDialog(nextDialog(linha))} onClose={close} />
  const linha = linhas.find(({ id }) => id === dialog.id)
  if (linha === undefined) return null
  switch (dialog.act) {
    case 'editar':
      return <EditLinhaDialog linha={linha} setores={setores} onClose={close} />
    case 'principal':
      return <MakeMain linha={linha} onClose={close} />
    case 'excluir':
      return <DeleteLinha linha={linha} onClose={close} />
    case 'chat':
      return (
        <Suspense>
          <WebchatDialog linha={linha} onClose={close} />
        </Suspense>
      )
    case 'chaves':
      return (
        <Suspense>
          <OficialDialog linhaId={linha.id} onClose={close} />
        </Suspense>
      )
  }
}
