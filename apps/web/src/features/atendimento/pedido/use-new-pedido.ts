import type { ChangedItem } from '@balcao/contract/errors'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import type { Produto } from '@balcao/contract/entities/produto'
import { criarPedidoRoute } from '@balcao/contract/routes/pedidos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { focusChat } from '#features/atendimento/focus-chat.ts'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { applyPedido, refreshPedidos } from '#shared/data/loja/pedidos.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import {
  bodyOfDraft,
  type DraftErrors,
  errorsOfDraft,
  type PedidoDraft,
  priceDraft,
  usePedidoDraft,
} from './pedido-draft.ts'

function changeText({ disponivel }: ChangedItem): string {
  if (disponivel === 0) return 'Acabou.'
  return disponivel === null ? 'Mudou agora. Confira.' : `Só há ${disponivel}.`
}

/** The refusal of the server, at the items and fields that it means. */
function errorsOfRefusal({ itens }: PedidoDraft, error: unknown): DraftErrors {
  if (!(error instanceof ApiError)) return {}
  if (error.codigo === 'foraDaEntrega') return { bairro: error.message }
  const changed = error.dados.itens ?? []
  const ofItems = itens.flatMap(({ produtoId }, index) => {
    const change = changed.find((one) => one.produtoId === produtoId)
    return change === undefined ? [] : [[`item${index}`, changeText(change)] as const]
  })
  const details = (error.dados.detalhes ?? []).flatMap(({ caminho, mensagem }) => {
    const index = /^itens\.(\d+)/.exec(caminho)?.[1]
    return index === undefined ? [] : [[`item${Number(index)}`, mensagem] as const]
  })
  return Object.fromEntries([...ofItems, ...details])
}

function failureText(error: unknown): string {
  const lost = error instanceof ApiError && error.status === 0
  return lost ? 'A conexão falhou. Veja os pedidos do cliente antes de tentar de novo.' : errorMessage(error)
}

interface NewPedidoInput {
  readonly conversaId: string
  readonly loja: LojaConfig
  readonly produtos: readonly Produto[]
  readonly onClose: () => void
}

export function useNewPedido({ conversaId, loja, produtos, onClose }: NewPedidoInput) {
  const client = useQueryClient()
  const { draft, change, forget } = usePedidoDraft(conversaId, loja)
  const [errors, setErrors] = useState<DraftErrors>({})
  const priced = priceDraft(draft, produtos, loja)
  useFocusInvalid(errors)
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(criarPedidoRoute, { body: bodyOfDraft(conversaId, draft) }),
    onSuccess: ({ pedido }) => {
      applyPedido(client, pedido)
      forget()
      notify.sucesso(`Pedido nº ${pedido.numero} criado.`)
      onClose()
      requestAnimationFrame(focusChat)
    },
    onError: (refusal) => {
      setErrors(errorsOfRefusal(draft, refusal))
      refreshPedidos(client)
      void client.invalidateQueries({ queryKey: ['atendimento', 'produtos'] })
    },
  })
  const submit = (): void => {
    const found = errorsOfDraft(draft, priced)
    setErrors(found)
    if (Object.keys(found).length === 0 && !isPending) mutate()
  }
  return { draft, change, errors, priced, submit, isPending, failure: error === null ? null : failureText(error) }
}

export type WrittenPedido = ReturnType<typeof useNewPedido>
