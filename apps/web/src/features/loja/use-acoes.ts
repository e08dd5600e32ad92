import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, excluirProdutoRoute } from '@balcao/contract/routes/produtos'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { comMudanca, conferirCatalogo, mudarCatalogo } from './produtos.ts'

export function useAcoes() {
  const cliente = useQueryClient()
  // Requests per product run in sequence, so the last click wins.
  const filas = useRef(new Map<string, Promise<unknown>>())

  const salvarAtivo = ({ id }: Produto, ativo: boolean): Promise<unknown> => {
    const form = new FormData()
    form.set('ativo', String(ativo))
    const antes = filas.current.get(id) ?? Promise.resolve()
    const agora = antes.catch(() => undefined).then(() => call(atualizarProdutoRoute, { params: { id }, form }))
    filas.current.set(id, agora)
    return agora
  }

  const alternar = async (produto: Produto, ativo: boolean): Promise<void> => {
    const { id } = produto
    mudarCatalogo(cliente, (atual) => comMudanca(atual, id, { ativo }))
    try {
      await salvarAtivo(produto, ativo)
      avisar.sucesso(`Produto ${ativo ? 'ativado' : 'desativado'} com sucesso!`, {
        acao: { rotulo: 'Desfazer', fazer: () => void alternar(produto, !ativo) },
      })
    } catch (erro) {
      mudarCatalogo(cliente, (atual) => comMudanca(atual, id, { ativo: !ativo }))
      avisar.erro(mensagemDe(erro))
      conferirCatalogo(cliente)
    }
  }

  const excluir = async ({ id }: Produto): Promise<void> => {
    try {
      await call(excluirProdutoRoute, { params: { id } })
      mudarCatalogo(cliente, (atual) => atual.filter((produto) => produto.id !== id))
      avisar.sucesso('Produto deletado com sucesso!')
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    }
    // The server renumbers the following products.
    conferirCatalogo(cliente)
  }

  return { alternar, excluir }
}
