import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, excluirProdutoRoute } from '@balcao/contract/routes/produtos'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { withChangedProduto, refetchCatalog, updateCatalog } from '#features/loja/produtos.ts'

export function useProdutoActions() {
  const client = useQueryClient()
  // Requests per product run in sequence, so the last click wins.
  const queues = useRef(new Map<string, Promise<unknown>>())

  const saveActive = ({ id }: Produto, active: boolean): Promise<unknown> => {
    const form = new FormData()
    form.set('ativo', String(active))
    const before = queues.current.get(id) ?? Promise.resolve()
    const now = before.catch(() => undefined).then(() => call(atualizarProdutoRoute, { params: { id }, form }))
    queues.current.set(id, now)
    return now
  }

  const toggle = async (produto: Produto, ativo: boolean): Promise<void> => {
    const { id } = produto
    updateCatalog(client, (current) => withChangedProduto(current, id, { ativo }))
    try {
      await saveActive(produto, ativo)
      notify.sucesso(`Produto ${ativo ? 'ativado' : 'desativado'} com sucesso!`, {
        action: { label: 'Desfazer', run: () => void toggle(produto, !ativo) },
      })
    } catch (error) {
      updateCatalog(client, (current) => withChangedProduto(current, id, { ativo: !ativo }))
      notify.erro(errorMessage(error))
      refetchCatalog(client)
    }
  }

  const remove = async ({ id }: Produto): Promise<void> => {
    try {
      await call(excluirProdutoRoute, { params: { id } })
      updateCatalog(client, (current) => current.filter((produto) => produto.id !== id))
      notify.sucesso('Produto deletado com sucesso!')
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    // The server renumbers the following products.
    refetchCatalog(client)
  }

  return { toggle, remove }
}
