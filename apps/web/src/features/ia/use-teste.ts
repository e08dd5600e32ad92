import type { IaConfig } from '@balcao/contract/entities/config'
import { testarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { CHAVE_USO } from './chaves.ts'
import { focarCampo } from './focar.ts'

export type Desfecho =
  | { readonly tipo: 'pensando' }
  | { readonly tipo: 'respondida'; readonly resposta: string; readonly duracaoMs: number }
  | { readonly tipo: 'falhou'; readonly mensagem: string; readonly chave: boolean }

export interface Rodada {
  readonly id: number
  readonly pergunta: string
  readonly desfecho: Desfecho
}

/** The server waits 15 s for the provider, so its own error text arrives before this timeout. */
const PRAZO_MS = 25_000

function falha(erro: unknown): Desfecho {
  const doServidor = erro instanceof ApiError ? erro.codigo : ''
  const mensagem = mensagemDe(erro)
  return {
    tipo: 'falhou',
    mensagem,
    chave: doServidor === 'iaSemChave' || (doServidor === 'iaFalhou' && /chave|api key/i.test(mensagem)),
  }
}

export function useTeste(ia: IaConfig) {
  const [rodadas, setRodadas] = useState<readonly Rodada[]>([])
  const cliente = useQueryClient()
  const ocupado = rodadas.some(({ desfecho }) => desfecho.tipo === 'pensando')

  async function rodar(id: number, pergunta: string): Promise<void> {
    const terminar = (desfecho: Desfecho): void =>
      setRodadas((atuais) => atuais.map((rodada) => (rodada.id === id ? { ...rodada, desfecho } : rodada)))
    try {
      const { resposta, duracaoMs } = await call(testarGeminiRoute, {
        body: { pergunta, ia: { ...ia, apiKey: ia.apiKey.trim() } },
        timeoutMs: PRAZO_MS,
      })
      terminar({ tipo: 'respondida', resposta, duracaoMs })
      avisar.sucesso('Teste da IA concluído!')
    } catch (erro) {
      terminar(falha(erro))
      avisar.erro(`Erro ao testar IA: ${mensagemDe(erro)}`)
    }
    void cliente.invalidateQueries({ queryKey: CHAVE_USO })
  }

  /** Returns whether the question was sent. */
  function perguntar(escrita: string): boolean {
    const pergunta = escrita.trim()
    if (ocupado) return false
    if (ia.apiKey.trim() === '') {
      focarCampo('apiKey')
      avisar.erro('Configure uma API Key válida primeiro')
      return false
    }
    if (pergunta === '') {
      avisar.erro('Digite uma pergunta para testar')
      return false
    }
    const id = rodadas.length
    setRodadas([...rodadas, { id, pergunta, desfecho: { tipo: 'pensando' } }])
    void rodar(id, pergunta)
    return true
  }

  /** Repeats a question in its row with the current settings. */
  function repetir({ id, pergunta }: Rodada): void {
    if (ocupado) return
    setRodadas(rodadas.map((rodada) => (rodada.id === id ? { ...rodada, desfecho: { tipo: 'pensando' } } : rodada)))
    void rodar(id, pergunta)
  }

  return { rodadas, ocupado, perguntar, repetir, limpar: () => setRodadas([]) }
}
