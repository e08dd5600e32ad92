import { enviarProdutoRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showSendFailure, storeSent } from '#features/atendimento/envio/send-result.ts'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ProdutoSearch } from './produto-search.tsx'

interface ProdutoDialogProps {
  readonly conversaId: string
  readonly onClose: () => void
}

function useSendProduto({ conversaId, onClose }: ProdutoDialogProps) {
  const client = useQueryClient()
  const user = useUsuario()
  const [sending, setSending] = useState(false)
  const send = async (produtoId: string): Promise<void> => {
    setSending(true)
    try {
      const { mensagem } = await call(enviarProdutoRoute, { params: { id: conversaId }, body: { produtoId } })
      storeSent(client, conversaId, mensagem, user)
      onClose()
    } catch (error) {
      showSendFailure(client, error, 'Erro ao enviar produto')
      setSending(false)
    }
  }
  return { sending, send }
}

export function ProdutoDialog(props: ProdutoDialogProps) {
  const { sending, send } = useSendProduto(props)
  return (
    <Dialog open title="Enviar produto" onClose={props.onClose}>
      <ProdutoSearch
        hint="Um toque envia a foto e o texto do catálogo."
        disabled={sending}
        onChoose={({ id }) => void send(id)}
      />
    </Dialog>
  )
}
