import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  assumirConversaRoute,
  devolverConversaRoute,
  finalizarConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/dados/chaves.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { updateCachedConversa, removeCachedConversa } from './dados.ts'

export interface ChatActions {
  readonly busyId: string | null
  readonly take: (conversa: Conversa) => Promise<void>
  readonly finish: (conversa: Conversa) => Promise<void>
  readonly returnToBot: (conversa: Conversa) => Promise<void>
  readonly transfer: (conversa: Conversa, destino: Setor) => Promise<void>
}

/** Keeps mensagens that arrived while the request was in flight: they are newer than the response. */
function keepNewerMensagens(nova: Conversa, { mensagens, ultimaMensagem, ultimaAtividade, naoLidas }: Conversa): Conversa {
  if (ultimaAtividade <= nova.ultimaAtividade) return nova
  const ultima = ultimaMensagem === undefined ? {} : { ultimaMensagem }
  return { ...nova, mensagens, ultimaAtividade, naoLidas, ...ultima }
}

/** Actions on a whole conversa. Each shows its result in a notice and never rejects. */
export function useChatActions(): ChatActions {
  const cliente = useQueryClient()
  const [ocupada, setOcupada] = useState<string | null>(null)

  async function fazer(id: string, prefixo: string, acao: () => Promise<void>): Promise<void> {
    setOcupada(id)
    try {
      await acao()
    } catch (erro) {
      const vencedor = erro instanceof ApiError && erro.codigo === 'conversaAssumida' ? erro.dados.operador : undefined
      notify.erro(
        vencedor === undefined ? `${prefixo}: ${errorMessage(erro)}` : `Esta conversa já foi assumida por ${vencedor}.`,
      )
      // Another operador was faster or the conversa is finished: the list is outdated.
      if (erro instanceof ApiError && (erro.status === 409 || erro.status === 404)) {
        void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
      }
    } finally {
      setOcupada(null)
    }
  }

  const receber = (nova: Conversa): void => updateCachedConversa(cliente, nova.id, (atual) => keepNewerMensagens(nova, atual))

  const assumir = ({ id }: Conversa) =>
    fazer(id, 'Erro ao assumir conversa', async () => {
      receber((await call(assumirConversaRoute, { params: { id } })).conversa)
    })

  const finalizar = ({ id }: Conversa) =>
    fazer(id, 'Erro ao finalizar conversa', async () => {
      await call(finalizarConversaRoute, { params: { id } })
      removeCachedConversa(cliente, id)
      notify.sucesso('Conversa finalizada com sucesso')
    })

  const devolver = ({ id, cliente: { nome } }: Conversa) =>
    fazer(id, 'Erro ao devolver conversa ao bot', async () => {
      await call(devolverConversaRoute, { params: { id } })
      removeCachedConversa(cliente, id)
      notify.sucesso(`${nome} voltou a falar com o bot.`)
    })

  const transferir = ({ id, setor: origem, cliente: { nome } }: Conversa, destino: Setor) =>
    fazer(id, 'Erro ao transferir conversa', async () => {
      receber((await call(transferirConversaRoute, { params: { id }, body: { setor: destino.id } })).conversa)
      const desfazer = (): void =>
        void fazer(id, 'Erro ao transferir conversa', async () => {
          receber((await call(transferirConversaRoute, { params: { id }, body: { setor: origem } })).conversa)
        })
      notify.sucesso(`${nome} foi para o setor ${destino.nome}.`, { action: { label: 'Desfazer', run: desfazer } })
    })

  return { busyId: ocupada, take: assumir, finish: finalizar, returnToBot: devolver, transfer: transferir }
}
