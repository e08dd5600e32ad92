import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { resumoDaMensagem } from '@balcao/contract/resumo'
import { aplicarMensagem } from '@balcao/contract/sync/mensagens'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import {
  anotarDuranteABusca,
  aplicarNasLidas,
  chaveDasMensagens,
  type MensagensLidas,
} from '#shared/dados/mensagens-da-conversa.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { mudarConversa } from './dados.ts'
import { esquecerVista } from './vistos.ts'

/** The daily limit is used up: sending is blocked until `resetEm`. */
export interface LimiteDoDia {
  readonly usado: number
  readonly limite: number
  readonly resetEm: string
}

export const CHAVE_LIMITE = ['atendimento', 'limite'] as const

function limiteDe(erro: unknown): LimiteDoDia | null {
  if (!(erro instanceof ApiError) || erro.status !== 429) return null
  const { usado, limite, resetEm } = erro.dados
  return usado === undefined || limite === undefined || resetEm === undefined ? null : { usado, limite, resetEm }
}

/** True if the socket already delivered a newer state than this response. */
function jaSegue({ id }: Mensagem, mensagens: readonly Mensagem[]): boolean {
  const igual = mensagens.find((uma) => uma.id === id)
  return igual !== undefined && igual.estado !== 'falhou' && igual.estado !== 'limite'
}

/** Stores the response of a send. Sending to a waiting customer also takes the conversa. */
export function receberEnviada(
  cliente: QueryClient,
  conversaId: string,
  mensagem: Mensagem,
  quem: { readonly id: string; readonly nome: string },
): void {
  esquecerVista(conversaId)
  anotarDuranteABusca(conversaId, mensagem)
  cliente.setQueryData<MensagensLidas>(chaveDasMensagens(conversaId), (lidas) =>
    lidas === undefined || jaSegue(mensagem, lidas.paginas.slice(-2).flat()) ? lidas : aplicarNasLidas(lidas, mensagem),
  )
  mudarConversa(cliente, conversaId, (conversa) => {
    const minha: Partial<Conversa> =
      conversa.status === 'aguardando' ? { status: 'em_atendimento', operadorId: quem.id, operador: quem.nome } : {}
    if (jaSegue(mensagem, conversa.mensagens)) return { ...conversa, ...minha }
    const { mensagens } = aplicarMensagem(conversa.mensagens, mensagem)
    if (mensagens.at(-1)?.id !== mensagem.id) return { ...conversa, ...minha, mensagens }
    const ultimaMensagem = { texto: resumoDaMensagem(mensagem), timestamp: mensagem.timestamp }
    return { ...conversa, ...minha, mensagens, ultimaMensagem, naoLidas: 0, ultimaAtividade: mensagem.timestamp }
  })
}

/** Shows and returns the reason of a failed send. At the daily limit it also stores the limit. */
export function contarFalha(cliente: QueryClient, erro: unknown, prefixo: string): string {
  const limite = limiteDe(erro)
  if (limite !== null) {
    cliente.setQueryData(CHAVE_LIMITE, limite)
    const uso = `Usadas ${formatNumber(limite.usado)} de ${formatNumber(limite.limite)}.`
    const texto = `Limite diário de mensagens atingido!\n${uso} Volta em ${formatDateTime(limite.resetEm)}.`
    avisar.erro(texto, { duracaoMs: AVISO.limiteDiarioMs })
    return texto
  }
  if (erro instanceof ApiError && erro.status === 409) void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  const vencedor = erro instanceof ApiError && erro.codigo === 'conversaAssumida' ? erro.dados.operador : undefined
  const motivo = vencedor === undefined ? mensagemDe(erro) : `esta conversa já foi assumida por ${vencedor}.`
  avisar.erro(`${prefixo}: ${motivo}`)
  return motivo
}
