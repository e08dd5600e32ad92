import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { enviarMensagemRoute, reenviarMensagemRoute } from '@balcao/contract/routes/atendimento'
import { resumoDaMensagem } from '@balcao/contract/resumo'
import { aplicarMensagem } from '@balcao/contract/sync/mensagens'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'
import { mudarConversa } from './dados.ts'
import { confirmarPendente, incluirPendente, retirarPendente } from './pendentes.ts'
import { devolverAoRascunho, escreverRascunho } from './rascunhos.ts'

/** The day's messages are used up: until then nothing can be sent (decisions §3). */
export interface LimiteDoDia {
  readonly usado: number
  readonly limite: number
  readonly resetEm: string
}

export interface Envio {
  readonly limite: LimiteDoDia | null
  readonly enviar: (conversa: Conversa, texto: string) => Promise<void>
  readonly reenviar: (conversaId: string, mensagemId: string) => Promise<void>
}

function limiteDe(erro: unknown): LimiteDoDia | null {
  if (!(erro instanceof ApiError) || erro.status !== 429) return null
  const { usado, limite, resetEm } = erro.dados
  return usado === undefined || limite === undefined || resetEm === undefined ? null : { usado, limite, resetEm }
}

function avisarLimite({ usado, limite, resetEm }: LimiteDoDia): void {
  const texto = `Limite diário de mensagens atingido!\nUsadas ${formatNumber(usado)} de ${formatNumber(limite)}. Volta em ${formatDateTime(resetEm)}.`
  avisar.erro(texto, { duracaoMs: AVISO.limiteDiarioMs })
}

function receber(cliente: QueryClient, conversaId: string, mensagem: Mensagem): void {
  mudarConversa(cliente, conversaId, (conversa) => {
    const { mensagens } = aplicarMensagem(conversa.mensagens, mensagem)
    if (mensagens.at(-1)?.id !== mensagem.id) return { ...conversa, mensagens }
    const ultimaMensagem = { texto: resumoDaMensagem(mensagem), timestamp: mensagem.timestamp }
    return { ...conversa, mensagens, ultimaMensagem, naoLidas: 0, ultimaAtividade: mensagem.timestamp }
  })
}

const CHAVE_LIMITE = ['atendimento', 'limite'] as const

/** The limit, until its own hour comes; every conversation knows of it. */
function useLimite() {
  const cliente = useQueryClient()
  const { data = null } = useQuery<LimiteDoDia | null>({
    queryKey: CHAVE_LIMITE,
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const setLimite = useCallback((novo: LimiteDoDia | null) => void cliente.setQueryData(CHAVE_LIMITE, novo), [cliente])
  useEffect(() => {
    if (data === null) return
    const falta = Math.max(0, Date.parse(data.resetEm) - Date.now())
    const volta = setTimeout(() => setLimite(null), Math.min(falta, 2_147_483_647))
    return () => clearTimeout(volta)
  }, [data, setLimite])
  return [data, setLimite] as const
}

/** What failed and may have been stored all the same: the same words again are the same message. */
const falhas = new Map<string, { readonly texto: string; readonly id: string }>()

/** Sending as the specification tells it (spec §4 "Sending a message"): at once on screen, taken back when it fails. */
export function useEnvio(): Envio {
  const cliente = useQueryClient()
  const { id: operadorId, nome } = useUsuario()
  const [limite, setLimite] = useLimite()

  useEffect(
    () =>
      onEvento(({ evento, dados }) => {
        if (evento === 'mensagemConversaHumana') confirmarPendente(dados.conversaId, dados.mensagem, dados.idTemporario)
      }),
    [],
  )

  function falhar(erro: unknown, prefixo: string): void {
    const atingido = limiteDe(erro)
    if (atingido === null) avisar.erro(`${prefixo}: ${mensagemDe(erro)}`)
    else {
      setLimite(atingido)
      avisarLimite(atingido)
    }
    if (erro instanceof ApiError && erro.status === 409) void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  }

  async function enviar({ id: conversaId, status }: Conversa, texto: string): Promise<void> {
    const anterior = falhas.get(conversaId)
    const idTemporario = anterior?.texto === texto ? anterior.id : `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`
    falhas.delete(conversaId)
    escreverRascunho(conversaId, '')
    incluirPendente(conversaId, {
      id: idTemporario,
      texto,
      remetente: 'Operador',
      timestamp: new Date().toISOString(),
      tipo: 'enviada',
      temporaria: true,
    })
    try {
      const params = { id: conversaId }
      const { mensagem } = await call(enviarMensagemRoute, { params, body: { mensagem: texto, idTemporario } })
      receber(cliente, conversaId, mensagem)
      retirarPendente(conversaId, idTemporario)
      if (status === 'aguardando') {
        mudarConversa(cliente, conversaId, (conversa) =>
          conversa.status === 'aguardando'
            ? { ...conversa, status: 'em_atendimento', operadorId, operador: nome }
            : conversa,
        )
      }
    } catch (erro) {
      // Confirmed by the socket before the answer was lost: it was sent.
      if (!retirarPendente(conversaId, idTemporario)) return
      falhas.set(conversaId, { texto, id: idTemporario })
      devolverAoRascunho(conversaId, texto)
      falhar(erro, 'Erro ao enviar mensagem')
    }
  }

  async function reenviar(conversaId: string, mensagemId: string): Promise<void> {
    try {
      const { mensagem } = await call(reenviarMensagemRoute, { params: { id: mensagemId } })
      receber(cliente, conversaId, mensagem)
    } catch (erro) {
      falhar(erro, 'Erro ao enviar mensagem')
    }
  }

  return { limite, enviar, reenviar }
}
